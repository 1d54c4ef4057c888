/** A short sound and a buzz for each verdict, for staff who aren't looking at the phone. */
const STORAGE_KEY = "pick_up_signals";

export function signalsWanted(): boolean {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    if (saved) return saved === "on";
  } catch {
    // Storage is off: what the device asks for decides.
  }
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function saveSignals(on: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  } catch {
    // It only forgets.
  }
}

let audio: AudioContext | undefined;

/** One high tone for yes, a low one for no; silent where the browser does not let a page sound. */
export function signal(good: boolean, buzz: number[]): void {
  navigator.vibrate?.(buzz);
  try {
    audio ??= new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = good ? 880 : 220;
    volume.gain.setValueAtTime(0.15, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.25);
  } catch {
    // No sound here; the colors and words are enough.
  }
}
