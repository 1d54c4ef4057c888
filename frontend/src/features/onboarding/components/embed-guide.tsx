import { useId, useState } from "react";
import { CopyButton } from "@/ui/copy-button";
import { NumberInput } from "@/ui/inputs";
import { embedCode } from "../lib/embed-code";

const guides: { name: string; steps: string[] }[] = [
  {
    name: "WordPress",
    steps: [
      "Open the page where you want your specials and choose Edit.",
      "Add a Custom HTML block and paste the code into it.",
      "Choose Preview, then Update.",
    ],
  },
  {
    name: "Squarespace",
    steps: [
      "Edit the page and add a Code block. Squarespace offers it on its paid business plans.",
      "Leave the type on HTML, paste the code, and switch off Display Source.",
      "Save. While you are signed in Squarespace may show a placeholder; visitors see the menu.",
    ],
  },
  {
    name: "Wix",
    steps: [
      "In the editor choose Add, then Embed Code, then Embed HTML.",
      "Choose Code, paste, and press Update.",
      "Drag the frame to the full width of the page and as tall as the height above.",
    ],
  },
  {
    name: "Custom HTML",
    steps: [
      "Paste the code where you want the specials, inside the body of your page.",
      "If your site sends a Content-Security-Policy header, allow this address under frame-src.",
      "Publish the page and check it on a phone.",
    ],
  },
];

interface EmbedGuideProps {
  restaurantName: string;
  menuUrl: string;
  embedUrl: string;
}

/** Menu address, code to paste, and where to paste it. */
export function EmbedGuide({ restaurantName, menuUrl, embedUrl }: EmbedGuideProps) {
  const id = useId();
  const [height, setHeight] = useState("720");
  const pixels = Math.min(3000, Math.max(300, Number.parseInt(height, 10) || 720));
  const code = embedCode(embedUrl, restaurantName, pixels);
  return (
    <div className="stack rhythm-8">
      <section className="stack rhythm-2" aria-labelledby={`${id}-menu`}>
        <h2 id={`${id}-menu`} className="text-[length:var(--text-title-3)]">
          Menu URL
        </h2>
        <p className="muted">
          For your site's menu, your social profiles, or a QR code on your tables.
        </p>
        <p className="address">
          <a href={menuUrl} target="_blank" rel="noreferrer">
            {menuUrl}
          </a>
        </p>
        <CopyButton size="small" text={menuUrl} label="Copy link" />
      </section>
      <section className="stack" aria-labelledby={`${id}-code`}>
        <div>
          <h2 id={`${id}-code`} className="text-[length:var(--text-title-3)]">
            Embed code
          </h2>
          <p className="muted">
            Shows your specials on your own site. Whatever you publish here appears there. Your web
            address stays the same.
          </p>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls, so the keyboard must reach it */}
        <pre className="code" tabIndex={0}>
          <code>{code}</code>
        </pre>
        <CopyButton
          variant="primary"
          className="self-start"
          text={code}
          label="Copy code"
          done="Code copied!"
        />
      </section>
      <section className="stack" aria-labelledby={`${id}-tips`}>
        <h2 id={`${id}-tips`} className="text-[length:var(--text-title-3)]">
          Customization tips
        </h2>
        <div className="max-w-40">
          <NumberInput
            label="Height in pixels"
            min={300}
            max={3000}
            step={20}
            value={height}
            onChange={(event) => setHeight(event.target.value)}
          />
        </div>
        <ul className="ticks">
          <li>
            <span>The width follows your page. Use a column at least 320 pixels wide.</span>
          </li>
          <li>
            <span>720 pixels show two specials on a phone. Use 1100 for a separate page.</span>
          </li>
          <li>
            <span>
              Change <code>border-radius</code> to <code>0</code> for square corners like your
              site's.
            </span>
          </li>
          <li>
            <span>Light and dark mode follow your guest's device.</span>
          </li>
        </ul>
      </section>
      <section aria-labelledby={`${id}-guides`}>
        <h2 id={`${id}-guides`} className="mb-2 text-[length:var(--text-title-3)]">
          Where to paste it
        </h2>
        {guides.map(({ name, steps }) => (
          <details className="fold" key={name}>
            <summary>{name}</summary>
            <ol className="numbered">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </section>
    </div>
  );
}
