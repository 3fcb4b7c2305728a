import { useLocation } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';

interface NavLinkProps {
  href: string | null;
  label: string;
  className?: string;
}

/** A link of a menu, marked where it leads to the page that shows. */
export function NavLink({ href, label, className }: NavLinkProps) {
  const { pathname } = useLocation();
  const current = useHydrated() && pathname === href;
  return (
    <a href={href ?? undefined} className={className} aria-current={current ? 'page' : undefined}>
      {label}
    </a>
  );
}
