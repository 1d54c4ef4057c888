import { useState } from "react";
import { ApiError } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";
import { goToSignIn } from "@/lib/sign-in";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { showError, showSuccess } from "@/ui/toaster";
import { useCompleteOnboarding } from "../api/complete-onboarding";

const steps = [
  {
    title: "Fill in your profile",
    text: "Name, address and phone, so that guests find the door.",
  },
  {
    title: "Connect your payment account",
    text: "Stripe holds the cards and pays you out. Five minutes, with your bank details at hand.",
  },
  {
    title: "Link your social pages",
    text: "Announcements are written for the places where your guests already are.",
  },
  {
    title: "Create special offers",
    text: "A dish, a price, how many portions make it worth cooking, and a deadline.",
  },
  {
    title: "Announce them",
    text: "One link per special. Guests see how many more are needed and when it is decided.",
  },
];

const forward = [
  "Cards are held, never charged, until the deadline.",
  "Minimum met: every card is charged and you cook exactly what is booked.",
  "Minimum missed: every hold is released and nobody pays, you included.",
  "Your dashboard shows first what needs you today.",
];

/** Read once; continuing and closing both count as read. */
export function WelcomeDialog({ onDone }: { onDone: () => void }) {
  const complete = useCompleteOnboarding();
  const [problem, setProblem] = useState("");

  async function finish() {
    if (complete.isPending) return;
    setProblem("");
    try {
      await complete.mutateAsync();
      showSuccess("Welcome aboard!");
      onDone();
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) return goToSignIn();
      const sentence = sentenceFor(failure, "That was not saved. Try again.");
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
      description="Five steps to your first full table. It reads in a minute."
      problem={problem}
      footer={
        <>
          <p className="small muted mr-auto self-center">
            This will not show again once you continue.
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
        <div className="stack [--gap:1.5rem]">
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
          <figure className="stack [--gap:0.5rem]">
            <blockquote className="font-title text-[length:var(--text-title-3)] leading-snug">
              “Tuesdays were our quietest night. Now we ask before we cook: twelve plates or none.
              It has been twelve.”
            </blockquote>
            <figcaption className="small muted">
              Luigi, of Luigi's, the restaurant of our demo
            </figcaption>
          </figure>
        </div>
      </div>
    </Dialog>
  );
}
