import { Boxes, KeyRound, ScrollText, type LucideIcon } from 'lucide-react';
import type { RouteObject } from 'react-router';

import { ApplicationPage } from '../applications/application-page.tsx';
import { ApplicationsPage } from '../applications/applications-page.tsx';
import { AuditPage } from '../audit/audit-page.tsx';
import { CreateKeyPage } from '../keys/create-key-page.tsx';
import { KeyPage } from '../keys/key-page.tsx';
import { KeysPage } from '../keys/keys-page.tsx';

/** A part of the console: its place in the navigation, and its pages. */
export interface Area {
  /** The first part of the path of its pages. */
  readonly path: string;
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly pages: readonly RouteObject[];
}

/** The areas in the order of the navigation. A new one needs its entry here and nothing else. */
export const AREAS: readonly Area[] = [
  {
    path: 'keys',
    label: 'API keys',
    Icon: KeyRound,
    pages: [
      { index: true, Component: KeysPage },
      { path: 'new', Component: CreateKeyPage },
      { path: ':id', Component: KeyPage },
    ],
  },
  {
    path: 'applications',
    label: 'Applications',
    Icon: Boxes,
    pages: [
      { index: true, Component: ApplicationsPage },
      { path: ':name', Component: ApplicationPage },
    ],
  },
  { path: 'audit', label: 'Audit log', Icon: ScrollText, pages: [{ index: true, Component: AuditPage }] },
];
