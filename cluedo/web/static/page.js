// What the scripts of many pages share: elements, what this browser keeps, and links to copy.

export const byId = (id) => document.getElementById(id);
export const all = (selector) => [...document.querySelectorAll(selector)];

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A button, with the key that presses it, if it has one. */
export function button(text, does, className = "", key = "") {
  const element = make("button", { type: "button", className }, make("span", { textContent: text }));
  if (key) { element.append(make("kbd", { textContent: key, ariaHidden: "true" })); element.dataset.key = key; }
  element.onclick = does;
  return element;
}

/** A text with values in the place of `{names}`. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A point of time, as the page's language writes it. */
export const timeText = (at) => new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/** What this browser keeps under a key; null where it keeps nothing. */
export function kept(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}

/** Keeps a value; false where the browser is full, or may keep nothing. */
export function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}

/** Lets the button `copy` copy what `link` gives; `told` then says that it is `done`, or shows the link. */
export function offerCopy(link, told, done) {
  byId("copy").addEventListener("click", async ({ target }) => {
    let copied = true;
    try { await navigator.clipboard.writeText(link()); } catch { // not by https
      const field = make("textarea", { value: link() });
      target.after(field); // in a dialog nothing outside can be selected
      field.select();
      copied = document.execCommand("copy");
      field.remove();
      target.focus();
    }
    told.textContent = copied ? done : link(); // else it can be copied by hand
  });
}
