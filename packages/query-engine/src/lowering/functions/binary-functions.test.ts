import { binary, nullable, string } from '@svc/query-language';

import { checkFunctions, s, e, bytes, result } from '../../testing/function-cases.ts';

checkFunctions([
  ['BASE64', [bytes("'\\xff\\x00'::BLOB")], string, '/wA='],
  ['FROM_BASE64', [s('YWJj')], binary, 'abc'],
  ['FROM_BASE64', [s('YWJ')], binary, "! 'YWJ' is no base64"],
  ['HEX', [bytes("'\\xff'::BLOB")], string, 'ff'],
  ['FROM_HEX', [s('AbC1')], binary, '\\xAB\\xC1'],
  ['FROM_HEX', [s('0')], binary, "! '0' is no hexadecimal text of whole bytes"],
  ['FROM_HEX', [s('zz')], binary, "! 'zz' is no hexadecimal text of whole bytes"],
  ['FROM_HEX', [s('')], binary, ''],
  ['FROM_HEX', [s(null)], nullable(binary), 'NULL'],
  ['HEX', [result('SHA256', [bytes("''::BLOB")], binary)], string, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['HEX', [result('MD5', [bytes("''::BLOB")], binary)], string, 'd41d8cd98f00b204e9800998ecf8427e'],
  ['ENCODE', [s('é'), s('utf-8')], binary, '\\xC3\\xA9'],
  ['ENCODE', [s('é\0'), s('latin1')], binary, '\\xE9\\x00'],
  ['ENCODE', [s('€'), s('ISO-8859-1')], binary, "! '€' has characters that the charset lacks"],
  ['ENCODE', [s(''), s('latin1')], binary, ''],
  ['DECODE', [bytes("'\\xC3\\xA9'::BLOB")], string, 'é'],
  ['DECODE', [bytes("'\\xC3'::BLOB")], string, '! the bytes are no UTF-8'],
  ['DECODE', [bytes("'\\xE9a'::BLOB"), s('latin1')], string, 'éa'],
  ['DECODE', [bytes("'\\xE9a'::BLOB"), s('us-ascii')], string, '! the bytes are no ASCII'],
  ['DECODE', [e('CAST(NULL AS BLOB)', nullable(binary))], nullable(string), 'NULL'],
]);
