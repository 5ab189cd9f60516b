// Calls back who looks elsewhere: a sound, and a title that flashes until the page is seen.

import { preferences } from "./preferences.js";
import { words } from "./table_data.js";

let blinking = null;
const title = document.title;

export function alertMe() {
  ding();
  if (preferences.blink && document.hidden && !blinking) {
    let on = false;
    blinking = setInterval(() => { on = !on; document.title = on ? `● ${words.your_turn}` : title; }, 1000);
  }
}

export function calm() {
  clearInterval(blinking);
  blinking = null;
  document.title = title;
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) calm(); });

let audio = null;
for (const gesture of ["pointerdown", "keydown"]) { // before, no browser lets a page sound
  document.addEventListener(gesture, () => { audio ??= new AudioContext(); audio.resume(); }, { passive: true });
}

export function ding() {
  if (!preferences.sound || !audio || audio.state !== "running") return;
  for (const [pitch, at] of [[660, 0], [880, .12]]) {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(.12, audio.currentTime + at);
    loud.gain.exponentialRampToValueAtTime(.001, audio.currentTime + at + .35);
    tone.connect(loud).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + .4);
  }
}
