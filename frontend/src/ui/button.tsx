import type { ComponentProps } from "react";
import { classNames } from "./class-names";

export interface ButtonLook {
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "small" | "normal" | "large";
}

export function buttonClass({ variant = "secondary", size = "normal" }: ButtonLook): string {
  return classNames(
    "button",
    variant !== "secondary" && `button-${variant}`,
    size !== "normal" && `button-${size}`,
  );
}

interface ButtonProps extends ButtonLook, ComponentProps<"button"> {
  /** Work is in progress: the button shows that and ignores further presses. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  busy = false,
  className,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonClass({ variant, size }), className)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ButtonLook & ComponentProps<"a">) {
  return <a className={classNames(buttonClass({ variant, size }), className)} {...rest} />;
}
