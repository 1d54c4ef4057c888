import { type ReactNode, useState } from "react";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { showError, showSuccess } from "@/ui/toaster";
import { useCompleteOnboarding } from "../api/complete-onboarding";

const steps = [
  {
    title: "Fill in your profile",
    text: "Add your name, address, and phone so guests can find you.",
  },
  {
    title: "Connect payments",
    text: "Stripe holds the cards and pays you. It takes five minutes; have your bank details ready.",
  },
  {
    title: "Add your social pages",
    text: "We write announcements for the platforms your guests use.",
  },
  {
    title: "Create special offers",
    text: "Set a dish, a price, a minimum, and a deadline.",
  },
  {
    title: "Announce them",
    text: "Each special has its own link. Guests see how many more are needed and when it closes.",
  },
];

const forward = [
  "Cards are held, not charged, until the deadline.",
  "Minimum met: every card is charged and you cook exactly what's ordered.",
  "Minimum missed: every hold is released and no one pays, including you.",
  "Your dashboard starts with what needs your attention today.",
];

/** Read once; continuing and closing both count as read. */
export function WelcomeDialog({ onDone }: { onDone: () => void }) {
  const complete = useCompleteOnboarding();
  const [problem, setProblem] = useState<ReactNode>("");

  async function finish() {
    if (complete.isPending) return;
    setProblem("");
    try {
      await complete.mutateAsync();
      showSuccess("Welcome aboard!");
      onDone();
    } catch (failure) {
      const sentence = sentenceFor(failure, "Failed to complete onboarding. Please try again.");
      setProblem(sentence);
      showError("Error", sentence);
    }
  }

  return (
    <Dialog
      open
      full
      reading
      locked={complete.isPending}
      onClose={() => void finish()}
      title="How To Get Fully Booked"
      description="Five steps to your first full table. A one-minute read."
      problem={problem}
      footer={
        <>
          <p className="small muted mr-auto self-center">
            You won't see this again after you continue.
          </p>
          <Button
            variant="primary"
            size="large"
            busy={complete.isPending}
            onClick={() => void finish()}
          >
            Start
          </Button>
        </>
      }
    >
      <div className="mx-auto grid max-w-[60rem] gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ol className="plan self-start">
          {steps.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong>
              <span className="muted">{text}</span>
            </li>
          ))}
        </ol>
        <div className="stack rhythm-6">
          <section className="card" aria-labelledby="going-forward">
            <div className="card-body stack">
              <h3 id="going-forward">Going forward</h3>
              <ul className="ticks">
                {forward.map((point) => (
                  <li key={point}>
                    <span>{point}</span>
                  </li>
                ))}
              </ul>
            </div>
          </section>
          <figure className="stack rhythm-2">
            <blockquote className="font-title text-[length:var(--text-title-3)] leading-snug">
              “Tuesday was our quietest night. Now we ask first: twelve plates or none. So far, it's
              always been twelve.”
            </blockquote>
            <figcaption className="small muted">Luigi, from our demo restaurant</figcaption>
          </figure>
        </div>
      </div>
    </Dialog>
  );
}
