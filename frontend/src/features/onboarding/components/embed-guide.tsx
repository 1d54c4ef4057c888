import { useId, useState } from "react";
import type { EmbedSites as Saved } from "@/api/types";
import { CopyButton } from "@/ui/copy-button";
import { Select } from "@/ui/inputs";
import { type EmbedLook, embedCode } from "../lib/embed-code";
import { EmbedSites } from "./embed-sites";

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
      "Save. While you're signed in, Squarespace may show a placeholder; visitors see the menu.",
    ],
  },
  {
    name: "Wix",
    steps: [
      "In the editor choose Add, then Embed Code, then Embed HTML.",
      "Choose Code, paste, and press Update.",
      "Drag the frame to the full width of the page and make it tall enough for two specials.",
    ],
  },
  {
    name: "Custom HTML",
    steps: [
      "Paste the code where you want the specials, inside the body of your page.",
      "If your site sends a Content-Security-Policy header, allow this address under script-src and frame-src.",
      "Publish the page and check it on a phone.",
    ],
  },
];

interface EmbedGuideProps {
  restaurantName: string;
  menuUrl: string;
  embedUrl: string;
  /** The sites that may show the specials, where they can be changed. */
  sites?: Saved | undefined;
}

/** Menu address, who may show it, code to paste, and where to paste it. */
export function EmbedGuide({ restaurantName, menuUrl, embedUrl, sites }: EmbedGuideProps) {
  const id = useId();
  const [look, setLook] = useState<EmbedLook>({ theme: "", language: "" });
  const code = embedCode(embedUrl, restaurantName, look);
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
      {sites && <EmbedSites saved={sites} />}
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
        <div className="grid gap-4 phone:grid-cols-2">
          <Select
            label="Colors"
            value={look.theme}
            onChange={(event) =>
              setLook({ ...look, theme: event.target.value as EmbedLook["theme"] })
            }
          >
            <option value="">Light or dark, like your guest's device</option>
            <option value="light">Always light</option>
            <option value="dark">Always dark</option>
          </Select>
          <Select
            label="Language"
            value={look.language}
            onChange={(event) =>
              setLook({ ...look, language: event.target.value as EmbedLook["language"] })
            }
          >
            <option value="">Your guest's</option>
            <option value="en">English</option>
            <option value="es">Spanish</option>
          </Select>
        </div>
        <ul className="ticks">
          <li>
            <span>The width follows your page. Use a column at least 320 pixels wide.</span>
          </li>
          <li>
            <span>The height follows what is shown. Guests order and pay on your own page.</span>
          </li>
          <li>
            <span>
              Add <code>data-special="…"</code> with the id from a special's address to show only
              that one.
            </span>
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
