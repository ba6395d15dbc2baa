import { createRoot, type Root } from 'react-dom/client';

import '@fontsource-variable/inter/wght.css';

import './styles/base.css';
import { App } from './app/app.tsx';
import { applyTheme, readTheme } from './app/theme.ts';
import { openSession } from './session/open-session.ts';
import { SignedOutPage, StartFailurePage } from './session/start-pages.tsx';

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no element for the console.');
await show(createRoot(element));

async function show(root: Root): Promise<void> {
  try {
    applyTheme(readTheme());
    const opening = await openSession();
    if (opening.kind === 'signed-in') root.render(<App session={opening.session} />);
    else if (opening.kind === 'signed-out') root.render(<SignedOutPage signIn={opening.signIn} />);
  } catch (error) {
    root.render(<StartFailurePage error={error} />);
  }
}
