import { Fragment } from "react";

/** A sentence with an email address, which breaks after its @ before it breaks anywhere else. */
export function BreaksAtSign({ text }: { text: string }) {
  return text.split(/(?<=@)/).map((part) => (
    <Fragment key={part}>
      {part}
      {part.endsWith("@") && <wbr />}
    </Fragment>
  ));
}
