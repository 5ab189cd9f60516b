// The dialog that asks something, or tells what the detective advises.

import { button, byId as $ } from "./page.js";
import { words } from "./table_data.js";

export function fillTalk(title, body) {
  $("talk-title").textContent = title;
  $("talk-body").replaceChildren(...body);
}

/** Gives the value of the button that was pressed, `[text, value, style]`; null where the dialog was closed. */
export function talk(title, body, buttons) {
  const dialog = $("talk");
  dialog.classList.remove("advising");
  fillTalk(title, body);
  return new Promise((done) => {
    const close = (value) => { dialog.onclose = null; dialog.close(); done(value); };
    const cancel = button(buttons.length ? words.cancel : words.close, () => close(null), "quiet");
    $("talk-buttons").replaceChildren(cancel, ...buttons.map(([text, value, style]) => button(text, () => close(typeof value === "function" ? value() : value), style)));
    dialog.onclose = () => { if (!dialog.open) done(null); };  // not that of the dialog before, told late
    dialog.showModal();
  });
}
