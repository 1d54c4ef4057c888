import { useEffect, useState } from "react";

/** How long the notice stays before it leaves, and how long leaving takes. */
const SHOWN = 3500;
const LEAVING = 300;

interface AddedNoticeProps {
  title: string;
  /** What was added; another `key` shows the notice again. */
  name: string;
  onGone: () => void;
}

/** 'Added to cart': slides in, stays for a moment, and slides out; screen readers read it out. */
export function AddedNotice({ title, name, onGone }: AddedNoticeProps) {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const timer = setTimeout(leaving ? onGone : () => setLeaving(true), leaving ? LEAVING : SHOWN);
    return () => clearTimeout(timer);
  }, [leaving, onGone]);
  return (
    <div className="added-dock">
      <div className="added-notice" role="status" data-notice={leaving ? "out" : "in"}>
        <p className="min-w-0">
          <strong>{title}</strong>
          <br />
          <span className="break-words">{name}</span>
        </p>
      </div>
    </div>
  );
}
