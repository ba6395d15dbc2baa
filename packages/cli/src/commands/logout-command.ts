import { Command } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { configFolder } from '../config/config-folder.ts';
import { changeTokens, readTokens, type StoredTokens } from '../session/token-store.ts';

/** `svc logout`. */
export function logoutCommand({ terminal, profileName }: Cli) {
  return new Command('logout')
    .summary('sign out')
    .description('Forget the tokens of the profile, and make the refresh token worthless.')
    .action(async () => {
      const folder = configFolder(terminal.env);
      const profile = await profileName();
      if ((await readTokens(folder, profile)) === undefined) return void terminal.stderr.write('You were not signed in.\n');
      let revoked: Promise<boolean> | undefined;
      await changeTokens(folder, profile, async (stored) => {
        revoked = stored === undefined ? undefined : tryToRevoke(stored);
        await revoked;
        return undefined;
      });
      const note =
        (await revoked) === false ? ' The authorization server was not reached: it keeps the sign-in until that ends by itself.' : '';
      terminal.stderr.write(`Signed out.${note}\n`);
    });
}

/** Reports whether the authorization server was told to revoke the token. The local tokens are deleted in any case. */
async function tryToRevoke(stored: StoredTokens): Promise<boolean> {
  if (stored.refreshToken === undefined) return true;
  try {
    const { discover, revoke } = await import('../session/authorization.ts');
    await revoke(await discover(stored), stored.refreshToken);
    return true;
  } catch {
    return false;
  }
}
