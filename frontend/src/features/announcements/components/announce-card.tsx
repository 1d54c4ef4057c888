import { Announce } from "./announce";
import { FormerAnnouncements } from "./former-announcements";

/** The announcement of everything that is open, in the marketing tab; below the links it needs. */
export function AnnounceCard() {
  return (
    <section className="card" aria-labelledby="announce">
      <div className="card-body stack">
        <div>
          <h2 id="announce">Announce your specials</h2>
          <p className="muted">Written from your open specials. Review it, edit it, and send it.</p>
        </div>
        <Announce />
        <FormerAnnouncements />
      </div>
    </section>
  );
}
