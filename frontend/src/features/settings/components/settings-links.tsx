import type { Profile } from "@/api/types";

/** What else belongs to the restaurant, on pages of its own. */
export function Ways({ profile }: { profile: Profile }) {
  const ways = [
    {
      href: "/onboarding/subdomain-setup?change",
      title: "Web address",
      text: profile.publicUrl.replace(/^https?:\/\/|\/$/g, ""),
    },
    {
      href: "/restaurant/domain",
      title: "Your own domain",
      text: "Your specials at an address like order.luigis.com",
    },
    {
      href: "/restaurant/branding",
      title: "Branding",
      text: "Your logo, color, and cover photo",
    },
    {
      href: "/restaurant/team",
      title: "Team",
      text: "Invite teammates and choose what they can do",
    },
    {
      href: "/restaurant/audience",
      title: "Followers",
      text: "Guests who asked for your news, and your emails to them",
    },
    {
      href: "/restaurant/security",
      title: "Security",
      text: "Contact email, and two-step verification for your team",
    },
    {
      href: "/restaurant/activity",
      title: "Activity",
      text: "Who changed what, and when",
    },
    {
      href: "/dashboard/marketing",
      title: "Marketing and plan",
      text: "Your menu's map, and your plan",
    },
    {
      href: "/restaurant/webhooks",
      title: "Webhooks",
      text: "Send events to your own programs",
    },
    { href: "/restaurant/stripe-management", title: "Payments", text: "Your Stripe account" },
    { href: "/tier-selection", title: "Plan", text: "Free or Branded" },
    {
      href: "/onboarding/iframe-setup",
      title: "Embedding",
      text: "Show specials on your own site",
    },
    {
      href: "/platform/tenants",
      title: "Your restaurants",
      text: "Switch or add a restaurant",
    },
    { href: "/account", title: "Account", text: "Name, email, password, two-step verification" },
  ];
  return (
    <nav className="card" aria-labelledby="more">
      <div className="card-body stack">
        <h2 id="more">More</h2>
        <ul className="link-list">
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
