import type { Profile } from "@/api/types";

/** What else belongs to the restaurant, on pages of its own. */
export function Ways({ profile }: { profile: Profile }) {
  const ways = [
    {
      href: "/onboarding/subdomain-setup?change",
      title: "Web address",
      text: profile.publicUrl.replace(/^https?:\/\/|\/$/g, ""),
    },
    { href: "/restaurant/team", title: "Team", text: "Invite colleagues, choose what they may do" },
    {
      href: "/dashboard/marketing",
      title: "Marketing and tier",
      text: "The map on your menu, what each tier costs",
    },
    { href: "/restaurant/stripe-management", title: "Payments", text: "Your account at Stripe" },
    { href: "/tier-selection", title: "Plan", text: "Launch or Rocket" },
    {
      href: "/onboarding/iframe-setup",
      title: "Embedding",
      text: "Your specials on your own site",
    },
    {
      href: "/platform/tenants",
      title: "Your restaurants",
      text: "Switch between them, add another",
    },
    { href: "/account", title: "Account", text: "Your name, email, password, two-factor" },
  ];
  return (
    <nav className="card" aria-labelledby="more">
      <div className="card-body stack">
        <h2 id="more">More</h2>
        <ul className="ways">
          {ways.map(({ href, title, text }) => (
            <li key={href}>
              <a href={href}>
                <strong>{title}</strong>
                <span className="muted min-w-0 break-words">{text}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
