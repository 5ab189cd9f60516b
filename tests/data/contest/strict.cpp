// A program of the Speed Clue contest that takes nothing but what the contest sends; usage and manners as of strict.py.
// It reads into a buffer of the size of the longest message, and counts what each player can still hold.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

static const Words CODES = {"Gr", "Mu", "Pe", "Pl", "Sc", "Wh", "Ca", "Kn", "Pi", "Re", "Ro",
                            "Wr", "Ba", "Bi", "Co", "Di", "Ha", "Ki", "Li", "Lo", "St"};
static const int FIRST[] = {0, 6, 12, 21};
static std::map<std::string, int> number;
static std::set<std::string> manners;
static std::mt19937 chance(7);
static int players, me, active, games, showed;
static bool over;
static std::set<int> hand, seen;
static std::set<Words> asked;

static void need(bool true_, const char* what) {
    if (!true_) {
        std::cerr << "Error: " << what << std::endl;
        std::exit(3);
    }
}

static int seat(const std::string& word) {
    need(word.size() == 1 && word[0] >= '0' && word[0] < '0' + players, "no number of a player");
    return word[0] - '0';
}

static std::vector<int> three(const Words& said, size_t at) {
    std::vector<int> cards;
    for (int kind = 0; kind < 3; kind++) {
        cards.push_back(number.at(said.at(at + kind)));
        need(cards[kind] >= FIRST[kind] && cards[kind] < FIRST[kind + 1], "a card of another kind");
    }
    return cards;
}

static std::string named(const char* word, const std::vector<int>& cards) {
    std::string said = word;
    for (int card : cards) said += " " + CODES[card];
    return said;
}

static std::string reset(const Words& said) {
    players = 6;
    me = seat(said.at(2));
    players = said.at(1).at(0) - '0';
    games++;
    active = showed = -1;
    over = false;
    hand.clear();
    asked.clear();
    for (size_t k = 3; k < said.size(); k++) hand.insert(number.at(said[k]));
    need(int(hand.size()) == 18 / players + (18 % players > me) && hand.size() == said.size() - 3, "a hand of that size");
    seen = hand;
    return "ok";
}

static std::string suggest() {
    need(!over, "the game is over");
    for (int tried = 0;; tried++) {
        std::vector<int> cards;
        for (int kind = 0; kind < 3; kind++) {
            std::vector<int> from;
            for (int card = FIRST[kind]; card < FIRST[kind + 1]; card++)
                if (tried > 100 || !seen.count(card)) from.push_back(card);
            cards.push_back(from[chance() % from.size()]);
        }
        if (asked.insert({CODES[cards[0]], CODES[cards[1]], CODES[cards[2]]}).second) return named("suggest", cards);
    }
}

static std::string disprove(const Words& said) {
    need(seat(said.at(1)) != me, "asked to answer oneself");
    std::vector<int> held;
    for (int card : three(said, 2))
        if (hand.count(card)) held.push_back(card);
    need(held.size() > 1, "asked for a card without a choice");
    showed = held[chance() % held.size()];
    return named("show", {showed});
}

static std::string suggestion(const Words& said) {
    active = seat(said.at(1));
    std::vector<int> cards = three(said, 2);
    int shower = said.at(5) == "-" ? -1 : seat(said[5]);
    bool told = shower >= 0 && (active == me || shower == me);
    need(said.size() == (told ? 7u : 6u), "a card that only others may see, or none that one sees oneself");
    if (told) {
        int card = number.at(said[6]);
        need(card == cards[0] || card == cards[1] || card == cards[2], "a card that was not named");
        need(showed < 0 || showed == card, "not the card that was shown");
        seen.insert(card);
    }
    showed = -1;
    return "ok";
}

static std::string accuse() {
    need(active == me && !over, "asked to accuse in another's turn");
    std::vector<int> cards;
    bool sure = true;
    for (int kind = 0; kind < 3; kind++) {
        std::vector<int> left;
        for (int card = FIRST[kind]; card < FIRST[kind + 1]; card++)
            if (!seen.count(card)) left.push_back(card);
        sure = sure && left.size() == 1;
        cards.push_back(left.at(0));
    }
    return sure || manners.count("rash") ? named("accuse", cards) : "-";
}

static std::string accusation(const Words& said) {
    need(seat(said.at(1)) == active && !over, "an accusation out of turn");
    for (int card : three(said, 2)) need(said.at(5) == "-" || !seen.count(card), "a wrong accusation that is right");
    over = said[5] == "+";
    return "ok";
}

static std::string answer(const std::string& message) {
    std::istringstream stream(message);
    Words said;
    std::string joined;
    for (std::string word; stream >> word; said.push_back(word)) joined += (said.empty() ? "" : " ") + word;
    need(joined == message, "blanks");
    const std::string& word = said.at(0);
    if (word == "reset") return reset(said);
    if (word == "disprove") return disprove(said);
    if (word == "suggestion") return suggestion(said);
    if (word == "accusation") return accusation(said);
    need(said.size() == 1, "more words than there are");
    if (word == "suggest") return suggest();
    if (word == "accuse") return accuse();
    need(word == "done", "a word that the contest has not");
    return "dead";
}

int main(int count, char** words) {
    for (int k = 1; k < count - 2; k++) manners.insert(words[k]);
    for (const std::string& code : CODES) number.emplace(code, int(number.size()));
    std::string ident = words[count - 2], end = manners.count("nul") ? std::string(1, '\0') : "";
    need(access((ident + ".log").c_str(), F_OK) != 0, "another one works in this folder");
    std::ofstream log(ident + ".log");
    int channel = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(uint16_t(std::atoi(words[count - 1])));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    need(connect(channel, reinterpret_cast<sockaddr*>(&server), sizeof server) == 0, "no server");
    std::string said = ident + " alive" + end;
    char buffer[512];
    do {
        need(send(channel, said.data(), said.size(), 0) == ssize_t(said.size()), "sent");
        ssize_t size = recv(channel, buffer, sizeof buffer, 0);
        if (size <= 0) return 0;
        std::string message(buffer, size_t(size));
        if (message.back() == '\0') message.pop_back();
        log << message << std::endl;
        said = answer(message) + end;
        if (manners.count("slow") && games == 1) usleep(10000);
    } while (said.compare(0, 4, "dead"));
    send(channel, said.data(), said.size(), 0);
    return 0;
}
