/**
 * Contrast of colors, by the rules of apps/restaurants/colors.py, which decides:
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
const READABLE = 4.5;
const STEPS = 256;

export interface Color {
  hex: string;
  /** Red, green and blue, from 0 to 1. */
  parts: readonly [number, number, number];
}

/** The color that `#rrggbb` names; null for anything else. */
export function parseColor(text: string): Color | null {
  const hex = text.trim().toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(hex)) return null;
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return { hex, parts: [part(1), part(3), part(5)] };
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

function luminance({ parts: [red, green, blue] }: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast ratio, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export function isReadable(color: Color, on: readonly Color[]): boolean {
  return on.every((background) => contrast(color, background) >= READABLE);
}

/** The color itself if it can be read, else its hue made darker or lighter by as little as does. */
export function nearestReadable(color: Color, on: readonly Color[]): Color {
  if (isReadable(color, on)) return color;
  const { hue, saturation, lightness } = hslOf(color);
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
  steps.sort((a, b) => Math.abs(a - lightness) - Math.abs(b - lightness));
  for (const step of steps) {
    const found = fromHsl(hue, saturation, step);
    if (isReadable(found, on)) return found;
  }
  return color;
}

function hslOf({ parts }: Color): { hue: number; saturation: number; lightness: number } {
  const [red, green, blue] = parts;
  const most = Math.max(...parts);
  const span = most - Math.min(...parts);
  const lightness = most - span / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = span / (1 - Math.abs(2 * lightness - 1));
  const sector =
    most === red
      ? (green - blue) / span
      : most === green
        ? (blue - red) / span + 2
        : (red - green) / span + 4;
  return { hue: ((sector / 6) % 1) + (sector < 0 ? 1 : 0), saturation, lightness };
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const place = (offset + hue * 12) % 12;
    return lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
  };
  const levels = [part(0), part(8), part(4)].map((each) => Math.round(each * 255));
  const [red = 0, green = 0, blue = 0] = levels;
  const hex = levels.map((each) => each.toString(16).padStart(2, "0"));
  return { hex: `#${hex.join("")}`, parts: [red / 255, green / 255, blue / 255] };
}
