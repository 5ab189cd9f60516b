// What is sent to the server as JSON, and asked of it.

const token = document.querySelector('meta[name="token"]').content;

async function answered(path, options) {
  try {
    const answer = await fetch(path, options);
    return [answer.status, await answer.json()];
  } catch {
    return [0, {}];
  }
}

/** Sends JSON; gives `[status, answer]`, and status 0 where nobody of ours could be reached. */
export function send(path, value) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-Token": token };
  return answered(path, { method: "POST", body: JSON.stringify(value), headers });
}

/** Sends a form, and stays on the page; gives why it was refused, "" where it was not, null where nobody was reached. */
export async function sendForm(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" } });
    return answer.ok ? "" : (await answer.json()).error;
  } catch {
    return null;
  }
}

/** Asks for JSON; gives what `send` does. */
export function ask(path) {
  return answered(path, { headers: { Accept: "application/json" } });
}
