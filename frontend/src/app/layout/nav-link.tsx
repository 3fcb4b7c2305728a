import { useLocation } from '@/shared/router';

interface NavLinkProps {
  href: string | null;
  label: string;
  className?: string;
}

/** A link of a menu, marked if it leads to the current page. */
export function NavLink({ href, label, className }: NavLinkProps) {
  const { pathname } = useLocation();
  return (
    <a href={href ?? undefined} className={className} aria-current={pathname === href ? 'page' : undefined}>
      {label}
    </a>
  );
}
