import { docker } from './compose-commands.ts';

const MAX_MEGABYTES = 350;
const LABELS = ['title', 'description', 'licenses', 'version', 'revision'].map((name) => `org.opencontainers.image.${name}`);

/** Runs inside the image: prints paths that must not exist, one per line. */
const LIST_LEFTOVERS = `
  const { existsSync, readdirSync, readFileSync } = require('node:fs');
  const bill = JSON.parse(readFileSync('/app/sbom.cdx.json', 'utf8'));
  if (bill.bomFormat !== 'CycloneDX' || bill.components.length === 0) console.log('/app/sbom.cdx.json without components');
  const stored = readdirSync('/app/node_modules/.pnpm');
  for (const name of stored) if (/^(typescript|jest|@types\\+|vite|knip|oxlint|turbo)@?/.test(name)) console.log(name);
  const rooms = stored.filter((name) => name.startsWith('@svc+')).map((name) => '/app/node_modules/.pnpm/' + name + '/node_modules/@svc');
  const packages = rooms.flatMap((folder) => readdirSync(folder).map((name) => folder + '/' + name));
  for (const folder of ['/app', ...packages]) if (existsSync(folder + '/src')) console.log(folder + '/src');`;

interface Inspected {
  readonly Size: number;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> | null };
}

/**
 * Checks the guarantees of an image: size, user, labels, bill of materials, no development dependencies. Throws an Error
 * that names each fault.
 */
export async function checkImage(image: string): Promise<void> {
  const { Size: bytes, Config: config } =
    (JSON.parse(await docker('image', 'inspect', image)) as readonly Inspected[])[0] ?? fail(`no ${image}`);
  const leftovers = await docker('run', '--rm', '--read-only', '--cap-drop=ALL', '--entrypoint=node', image, '-e', LIST_LEFTOVERS);
  const faults = [
    ...(bytes > MAX_MEGABYTES * 1e6 ? [`${Math.round(bytes / 1e6)} MB, the limit is ${MAX_MEGABYTES}`] : []),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(config.User) ? [] : [`user "${config.User}"`]),
    ...LABELS.filter((label) => !config.Labels?.[label]).map((label) => `no label ${label}`),
    ...leftovers.split('\n').filter((line) => line !== ''),
  ];
  if (faults.length > 0) fail(`${image}: ${faults.join(', ')}`);
}

function fail(message: string): never {
  throw new Error(message);
}
