import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { gettext } from "@/lib/i18n";
import { useBackCloses } from "./back-closes";
import { classNames } from "./class-names";
import { makeRoomForDialog, placeToasts } from "./toast-place";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Stays open while work is in progress. */
  locked?: boolean;
  wide?: boolean;
  /** Covers the whole screen, at any size. */
  full?: boolean;
  /** Only text: nothing in it takes the focus, so the keyboard scrolls the text itself. */
  reading?: boolean;
  /**
   * Something from another site, such as a bank's question, may open above it and must get presses
   * and the focus. The code that opens the dialog makes the page behind it inert.
   */
  openAbove?: boolean;
  /** It has an address of its own, which Back leaves. */
  hasAddress?: boolean;
  children: ReactNode;
  /** What went wrong, shown beside the buttons, where people look after pressing them. */
  problem?: ReactNode;
  footer?: ReactNode;
}

/**
 * The focus starts on the first field ([data-autofocus]), else on the window itself, not on
 * 'Close'.
 */
function focusFirstField(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget as HTMLElement;
  (dialog.querySelector<HTMLElement>("[data-autofocus]") ?? dialog).focus();
}

/** A modal window; a full-screen sheet on phones. The focus moves in, stays inside, and returns. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  locked = false,
  wide = false,
  full = false,
  reading = false,
  openAbove = false,
  hasAddress = false,
  children,
  problem,
  footer,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  useBackCloses(open && !hasAddress, locked, onClose);
  return (
    <Radix.Root
      open={open}
      modal={!openAbove}
      onOpenChange={(next) => !next && !locked && onClose()}
    >
      <Radix.Portal>
        {openAbove ? <div className="dialog-shade" /> : <Radix.Overlay className="dialog-shade" />}
        <Radix.Content
          className={classNames("dialog", wide && "dialog-wide", full && "dialog-full")}
          // A press beside the window must not throw away what was typed.
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => openAbove && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirstField(event);
            makeRoomForDialog();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
            placeToasts();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="dialog-head">
            <div>
              <Radix.Title>{title}</Radix.Title>
              {description && (
                <Radix.Description className="muted mt-1">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              className="button button-quiet button-small -my-1.75 -mr-2"
              aria-label={gettext("Close")}
              disabled={locked}
            >
              <X size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
            </Radix.Close>
          </div>
          <div className="dialog-body" tabIndex={reading ? 0 : undefined}>
            {children}
          </div>
          {problem && (
            <p className="dialog-problem error" role="alert">
              {problem}
            </p>
          )}
          {footer && <div className="dialog-foot">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
