// What the page of a table is served with: what does not change during a game, the words of its scripts, the first state.

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export const setting = read("setting");
export const words = read("words");
export const first = read("state");
