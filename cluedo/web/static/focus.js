// Where the keyboard goes on when what had the focus is drawn anew, or goes away.

const CHANGING = /^(class|style|title|type|tabindex|disabled|aria-.*|data-(text|asked-by|cards))$/;

/** What an element is known by when it is drawn again. */
function nameOf(element) {
  const marks = [...element.attributes].filter(({ name }) => !CHANGING.test(name)).map(({ name, value }) => `${name}=${value}`);
  const form = element.closest("form")?.getAttribute("action");
  return [element.tagName, form, ...(marks.length ? marks : [element.textContent])].join("\n");
}

const isThere = (element) => element !== document.body && element.isConnected && element.getClientRects().length > 0 && !element.disabled;

/**
 * Changes the page. Who was on something that is not there any more goes on from the same thing drawn anew, from
 * `otherwise`, or from the part of the page that it was in: what has `tabindex="-1"`, in the end all of `main`.
 */
export function keepFocus(change, otherwise = null) {
  const held = document.activeElement;
  const part = held.parentElement?.closest("[tabindex='-1']:not(button)");
  change();
  if (held === document.body || isThere(document.activeElement)) return;
  const again = [...part?.querySelectorAll(held.tagName) ?? []].filter((one) => nameOf(one) === nameOf(held));
  [...again, otherwise, part, document.querySelector("main")].find((one) => one && isThere(one))?.focus({ preventScroll: true });
}
