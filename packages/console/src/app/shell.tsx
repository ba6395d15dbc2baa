import { LogOut, Menu as MenuIcon, Monitor, Moon, Sun, UserRound, X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { Button as AriaButton, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Link, NavLink, Outlet } from 'react-router';

import type { Session } from '../session/session.ts';
import { SessionOver } from '../session/session-over.tsx';
import { Clock } from '../ui/now.tsx';
import { NoticeArea } from '../ui/notices.tsx';
import { AREAS } from './areas.tsx';
import { chooseTheme, readTheme, type Theme } from './theme.ts';
import './shell.css';

/** Frame of every page: the name, the areas, and the signed-in user. */
export function Shell({ session }: { readonly session: Session }) {
  const [isOpen, setOpen] = useState(false);
  const isOver = useSyncExternalStore(session.subscribe, session.isOver);
  return (
    <Clock>
      <NoticeArea>
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <div className="shell" data-nav={isOpen ? 'open' : 'closed'}>
          <header className="topbar">
            <Link to="/keys" className="brand">
              <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="28" height="28" />
              <span>Console</span>
            </Link>
            <div className="cluster topbar-actions">
              <AccountMenu session={session} />
              <button
                type="button"
                className="button button-icon button-secondary nav-toggle"
                aria-expanded={isOpen}
                aria-controls="areas"
                aria-label="Navigation"
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? <X className="icon" aria-hidden /> : <MenuIcon className="icon" aria-hidden />}
              </button>
            </div>
          </header>
          <nav id="areas" className="areas" aria-label="Areas">
            <ul>
              {AREAS.map(({ path, label, Icon }) => (
                <li key={path}>
                  <NavLink to={`/${path}`} className="area" onClick={() => setOpen(false)}>
                    <Icon className="icon" aria-hidden />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <main id="main" className="main" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <SessionOver isOpen={isOver} session={session} />
      </NoticeArea>
    </Clock>
  );
}

const THEME_ITEMS = [
  { id: 'system', label: 'As the system', Icon: Monitor },
  { id: 'light', label: 'Light', Icon: Sun },
  { id: 'dark', label: 'Dark', Icon: Moon },
] as const satisfies readonly { readonly id: Theme; readonly label: string; readonly Icon: typeof Sun }[];

function AccountMenu({ session }: { readonly session: Session }) {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const change = (next: Theme): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <MenuTrigger>
      <AriaButton className="button button-quiet account" aria-label={`Account: ${session.subject}`}>
        <UserRound className="icon" aria-hidden />
        <span className="account-name">{session.subject}</span>
      </AriaButton>
      <Popover className="popover menu-popover" placement="bottom end">
        <Menu className="menu" aria-label="Account">
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const chosen = THEME_ITEMS.find(({ id }) => keys !== 'all' && keys.has(id));
              if (chosen !== undefined) change(chosen.id);
            }}
          >
            <Header className="menu-header">Colors</Header>
            {THEME_ITEMS.map(({ id, label, Icon }) => (
              <MenuItem key={id} id={id} className="menu-item" textValue={label}>
                <Icon className="icon" aria-hidden />
                {label}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuItem id="sign-out" className="menu-item" textValue="Sign out" onAction={() => session.signOut()}>
            <LogOut className="icon" aria-hidden />
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
