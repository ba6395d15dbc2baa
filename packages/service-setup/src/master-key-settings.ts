import { optional, orElse, refineSetting, secret, textSetting, Unusable } from '@svc/service-kit';
import { MASTER_KEY_EXPECTED, parseMasterKey, readMasterKeyFile, type ParsedMasterKey } from '@svc/vault';

/** Settings of services with secrets. Without a valid master key such a service does not start. */
export const MASTER_KEY_SETTINGS = {
  masterKey: orElse(
    refineSetting(secret(textSetting('SVC_MASTER_KEY')), MASTER_KEY_EXPECTED, (text) => keyOrReason(parseMasterKey(text))),
    refineSetting(textSetting('SVC_MASTER_KEY_FILE'), 'a file that holds such a key, with mode 0600', (path) =>
      keyOrReason(readMasterKeyFile(path)),
    ),
  ),
  previousMasterKey: optional(
    refineSetting(secret(textSetting('SVC_PREVIOUS_MASTER_KEY')), MASTER_KEY_EXPECTED, (text) => keyOrReason(parseMasterKey(text))),
  ),
} as const;

function keyOrReason(parsed: ParsedMasterKey): Buffer | Unusable {
  return parsed.kind === 'key' ? parsed.key : new Unusable(parsed.reason);
}
