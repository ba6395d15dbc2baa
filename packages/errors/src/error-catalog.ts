/** Definition of an error code on the wire. `subject` is a parameter of the message: a name, a reason. */
export interface ErrorSpec {
  readonly status: number;
  readonly message: (subject: string) => string;
}

/** For codes whose text is written at the throw, since it names the object, its position and the expected value. */
const asGiven = (message: string): string => message;

/**
 * Every error code of the services, with its HTTP status and public text. A table: it may be long. The interface specifies
 * the codes of views, packages and tables, always with status 400; the others have their natural status.
 */
export const ERROR_CATALOG = {
  // Any request.
  bad_request: { status: 400, message: asGiven },
  unauthorized: { status: 401, message: asGiven },
  forbidden: { status: 403, message: asGiven },
  not_found: { status: 404, message: (path) => `There is nothing at the path ${path}.` },
  method_not_allowed: { status: 405, message: (allowed) => `This path answers ${allowed} only.` },
  not_acceptable: {
    status: 406,
    message: (types) => `The header Accept excludes every type that the answer could have: ${types}.`,
  },
  request_timeout: { status: 408, message: asGiven },
  payload_too_large: { status: 413, message: (limit) => `The request body is longer than the limit of ${limit}.` },
  unsupported_media_type: { status: 415, message: asGiven },
  too_many_requests: { status: 429, message: asGiven },
  internal_error: {
    status: 500,
    message: (requestId) => `Something went wrong inside the service. The request id is ${requestId}.`,
  },
  service_unavailable: { status: 503, message: asGiven },

  // Queries.
  query_timeout: { status: 504, message: (limit) => `The query ran longer than the limit of ${limit} and was stopped.` },
  result_too_large: { status: 400, message: asGiven },

  // Views.
  view_name_invalid: { status: 400, message: (reason) => `The view's name cannot be used: ${reason}` },
  view_already_exists: { status: 400, message: asGiven },
  view_not_found: { status: 400, message: (name) => `View ${quote(name)} does not exist.` },

  // Packages.
  package_name_invalid: { status: 400, message: (reason) => `The package's name cannot be used: ${reason}` },
  package_already_exists: { status: 400, message: asGiven },
  package_not_found: { status: 400, message: (name) => `Package ${quote(name)} does not exist.` },

  // Tables. The interface writes the code for a table that cannot be retrieved with a capital.
  table_name_invalid: { status: 400, message: (reason) => `The table's name cannot be used: ${reason}` },
  table_type_invalid: { status: 400, message: asGiven },
  table_already_exists: { status: 400, message: asGiven },
  table_not_found: { status: 400, message: (name) => `Table ${quote(name)} does not exist.` },
  Table_not_found: { status: 400, message: (name) => `Table ${quote(name)} does not exist.` },
  table_not_indexable: { status: 400, message: asGiven },
  index_invalid: { status: 400, message: asGiven },
  table_concurrency_error: { status: 400, message: asGiven },
  vacuum_error: { status: 400, message: asGiven },

  // Streams.
  stream_name_invalid: { status: 400, message: (reason) => `The stream's name cannot be used: ${reason}` },
  stream_already_exists: { status: 400, message: asGiven },
  stream_not_found: { status: 400, message: (name) => `Stream ${quote(name)} does not exist.` },
  stream_job_not_found: { status: 400, message: asGiven },
  stream_error: { status: 400, message: asGiven },

  // The gateway's administration, which is not part of the interface, with natural statuses.
  application_invalid: { status: 400, message: (name) => `The definition of application ${quote(name)} cannot be used.` },
  application_already_exists: { status: 409, message: (name) => `The name ${quote(name)} belongs to an application of somebody else.` },
  application_of_file: {
    status: 409,
    message: (name) => `Application ${quote(name)} is defined by a file of the operator: change or delete that file.`,
  },
  application_not_found: { status: 404, message: (name) => `Application ${quote(name)} does not exist.` },
  key_not_found: { status: 404, message: (id) => `Key ${quote(id)} does not exist.` },

  // Credentials.
  objstore_credentials_already_exists: {
    status: 400,
    message: (name) => `Credentials for the bucket ${quote(name)} are registered already.`,
  },
  objstore_credentials_not_found: { status: 400, message: (name) => `No credentials are registered for the bucket ${quote(name)}.` },
  database_credentials_already_exists: { status: 400, message: (name) => `A database server ${quote(name)} is registered already.` },
  database_credentials_not_found: { status: 400, message: (name) => `No database server ${quote(name)} is registered.` },
  filehost_token_already_exists: { status: 400, message: asGiven },
  filehost_token_not_found: { status: 400, message: asGiven },
  http_credentials_already_exists: {
    status: 400,
    message: (prefix) => `HTTP credentials for the prefix ${quote(prefix)} are registered already.`,
  },
  http_credentials_not_found: { status: 400, message: (prefix) => `No HTTP credentials are registered for the prefix ${quote(prefix)}.` },
  credentials_unreadable: { status: 500, message: asGiven },
} as const satisfies Record<string, ErrorSpec>;

/** An error code, as on the wire. */
export type ErrorCode = keyof typeof ERROR_CATALOG;

function quote(name: string): string {
  return JSON.stringify(name);
}
