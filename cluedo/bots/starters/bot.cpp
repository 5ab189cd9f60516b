// A bot in C++17, the standard library alone: it listens to every question at the table, and beats the level medium.
//     g++ -O2 -std=c++17 -o bot bot.cpp
//     cluedo autoplay --players exec:./bot,medium,medium,medium
// docs/reference/bot-protocol.md describes the protocol.
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>
using namespace std;
using Texts = vector<string>;

struct Json {  // any value of JSON: its text, its items or its fields
    string text;
    vector<Json> items;
    map<string, Json> fields;
    const Json& operator[](const char* key) const { static const Json none; return fields.count(key) ? fields.at(key) : none; }
    operator int() const { return stoi(text); }
    Texts texts() const { Texts found; for (auto& item : items) found.push_back(item.text); return found; }
    explicit Json() = default;
    explicit Json(const char*& at) {
        at += strspn(at, " ,:");
        if (*at == '"') {  // kept as it stands, escapes and all: a name is only compared, and written again
            for (at++; *at != '"'; text += *at++)
                if (*at == '\\') text += *at++;
            at++;
        } else if (*at == '[' || *at == '{') {
            for (const char end = *at++ + 2; at += strspn(at, " ,"), *at != end;) {
                Json item(at);
                if (end == '}') fields.emplace(item.text, Json(at));
                else items.push_back(item);
            }
            at++;
        } else while (*at && !strchr(",]} ", *at)) text += *at++;
    }
};
string with(const char* type, const string& rest = "") { return string("{\"type\":\"") + type + "\"" + rest + "}"; }
string cards_of(const Texts& t) { return ",\"cards\":[\"" + t[0] + "\",\"" + t[1] + "\",\"" + t[2] + "\"]"; }

struct Sleuth {  // notes where each card may be: a bit for each seat, the pool, the open cards and the envelope
    int seat = 0, seats = 0, envelope = 0;
    string suspect, accuse_in;
    Texts kinds[3], cards, asked, grid;
    set<string> hand, unseen;  // my cards, and the positions in the pool at which I have not looked
    vector<int> sizes;
    map<string, int> may; map<char, string> room_of;
    vector<pair<int, Texts>> shown;  // at least one of these cards is at that place
    mt19937_64 random;

    void begin(const Json& game) {
        *this = Sleuth();
        seat = game["seat"], seats = game["players"].items.size(), envelope = seats + 2;
        grid = game["map"]["grid"].texts(), accuse_in = game["rules"]["accuse_in"].text;
        random.seed(stoull(game["seed"].text, nullptr, 16));
        const char* names[] = {"suspects", "weapons", "rooms"};
        for (int k = 0; k < 3; k++) for (auto& card : kinds[k] = game["deck"][names[k]].texts()) cards.push_back(card);
        for (auto& card : cards) may[card] = (2 << envelope) - 1 - (1 << seat);
        for (auto& card : game["hand"].texts()) hand.insert(card), may[card] = 1 << seat;
        for (auto& card : game["open_cards"].texts()) may[card] = 1 << (seats + 1);
        for (auto& player : game["players"].items) sizes.push_back(player["cards"]);
        for (int k = 0; k < game["pool"]; k++) unseen.insert(to_string(k));
        sizes.push_back(unseen.size()), sizes.push_back(game["open_cards"].items.size());
        for (auto& room : game["map"]["rooms"].items) room_of[room["symbol"].text[0]] = room["name"].text;
        suspect = game["players"].items[seat]["suspect"].text;
    }
    void hear(const Json& events) {
        for (auto& event : events.items) {
            const string &type = event["type"].text, &seen = event["card"].text;
            if (type == "hypothesis") asked = event["cards"].texts();
            if (type == "pass") for (auto& card : asked) may[card] &= ~(1 << event["seat"]);
            if (type == "show") shown.push_back({event["seat"], seen.empty() ? asked : Texts{seen}});
            if (type == "hand") for (auto& card : event["cards"].texts()) shown.push_back({event["seat"], {card}});
            if (type == "peek" && !seen.empty()) shown.push_back({seats, {seen}}), unseen.erase(event["position"].text);
        }
        for (map<string, int> before; before != may;) {  // three simple rules, until they say nothing new
            before = may;
            for (auto& [place, some] : shown) fill(place, some, -1);
            for (int place = 0; place < envelope; place++) fill(place, cards, sizes[place]);
            for (auto& kind : kinds) fill(envelope, kind, 1);
        }
    }
    void fill(int place, const Texts& some, int size) {  // it holds so many of these; -1: at least one
        int sure = 0, possible = 0;
        for (auto& card : some) sure += may[card] == 1 << place, possible += may[card] >> place & 1;
        for (auto& card : some)
            if (may[card] >> place & 1 && possible == abs(size)) may[card] = 1 << place;
            else if (sure == size && may[card] != 1 << place) may[card] &= ~(1 << place);
    }
    Texts named(const Texts& kind, bool known = false) {  // may be in the envelope; if that is known, nobody shows them
        Texts unknown, safe;
        for (auto& card : kind) if (may[card] >> envelope & 1) unknown.push_back(card);
        for (auto& card : kind) if (!(may[card] & ((1 << seats) - 1) & ~(1 << seat))) safe.push_back(card);
        return known || unknown.size() > 1 ? unknown : safe.empty() ? kind : safe;
    }
    template <class T> T pick(const vector<T>& list) { return list[random() % list.size()]; }
    string move(const Json& allowed, const Json& state, bool rolled) {
        set<string> wanted;  // not the room where nothing may be asked yet
        for (auto& room : named(kinds[2], accuse_in == "room")) wanted.insert(room);
        if (wanted.erase(state["used"].items[seat].text), wanted.empty()) wanted.insert(kinds[2].begin(), kinds[2].end());
        if (!rolled && wanted.count(state["pawns"][suspect.c_str()].text)) return with("stay");
        if (wanted.count(allowed["secret_passage"].text)) return with("secret_passage");
        if (allowed["roll"].text == "true") return with("roll");
        map<pair<int, int>, int> steps; vector<pair<int, int>> edge;  // steps by square, to the nearest door of a wanted room
        auto at = [&](size_t x, size_t y) { return y < grid.size() && x < grid[y].size() ? grid[y][x] : '#'; };
        for (int y = 0; y < (int)grid.size(); y++) for (int x = 0; x < (int)grid[y].size(); x++)
            if (islower(at(x, y)) && wanted.count(room_of[toupper(at(x, y))])) edge.push_back({x, y}), steps[{x, y}] = 1;
        for (size_t k = 0; k < edge.size(); k++) for (auto [dx, dy] : {pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
            const int x = edge[k].first + dx, y = edge[k].second + dy;
            if ((at(x, y) == '.' || islower(at(x, y))) && !steps.count({x, y}))
                steps[{x, y}] = steps[edge[k]] + 1, edge.push_back({x, y});
        }
        map<int, Texts> ends;  // by steps left; none in a wanted room
        for (auto& to : allowed["move"].items)
            if (to.items.empty()) ends[wanted.count(to.text) ? 0 : 999].push_back("\"" + to.text + "\"");
            else ends[steps.count({to.items[0], to.items[1]}) ? steps[{to.items[0], to.items[1]}] : 999].push_back(
                "[" + to.items[0].text + "," + to.items[1].text + "]");
        return ends.empty() ? with("stay") : with("move", ",\"to\":" + pick(ends.begin()->second));
    }
    string answer(const string& ask, const Json& allowed, const Json& state) {
        if (ask == "move" || ask == "walk") return move(allowed, state, ask == "walk");
        if (ask == "card") return with("show", ",\"card\":\"" + pick(allowed["show"].texts()) + "\"");
        if (ask == "peek") return unseen.empty() ? "null" : with("peek", ",\"position\":" + *unseen.begin());
        Texts rooms = allowed["rooms"].texts(), three;
        if (ask == "hypothesis") {
            three = {pick(named(kinds[0])), pick(named(kinds[1])), rooms[0]};
            for (auto& card : three)
                if (!hand.count(card) || allowed["not_all_own"].text.empty()) return with("hypothesis", cards_of(three));
        }
        for (auto& kind : kinds) for (auto& card : named(kind, true)) three.push_back(card);
        if (ask != "accusation" || three.size() > 3 || (rooms.size() == 1 && rooms[0] != three[2])) return "null";
        return with("accusation", cards_of(three));
    }
};

int main() {
    Sleuth bot;
    for (string line; getline(cin, line);) {
        const char* at = line.c_str();
        const Json message(at);
        if (message["type"].text == "hello") cout << with("hello", R"(,"protocol":1,"name":"my bot in C++")") << endl;
        if (message["type"].text == "game") bot.begin(message);
        if (message["type"].text != "question") continue;
        bot.hear(message["events"]);
        cout << "{\"id\":" << message["id"].text << ",\"answer\":"
             << bot.answer(message["ask"].text, message["allowed"], message["state"]) << "}" << endl;
    }
}
