// Made by openapi-typescript of the credentials service's /openapi.json, without its errors. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/cli -t "types of the API"
export interface paths {
    "/objbuckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the names of the registered buckets. */
        get: operations["getObjbuckets"];
        put?: never;
        /** Registers the region and the keys of a bucket. Without keys it is read anonymously. */
        post: operations["postObjbuckets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objbuckets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a bucket with its keys. */
        get: operations["getObjbucketsName"];
        put?: never;
        post?: never;
        /** Forgets a bucket and its keys. */
        delete: operations["deleteObjbucketsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rdbmsservers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the names of the registered database servers. */
        get: operations["getRdbmsservers"];
        put?: never;
        /** Registers a database server under a name that queries use. */
        post: operations["postRdbmsservers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rdbmsservers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a database server with its password. */
        get: operations["getRdbmsserversName"];
        put?: never;
        post?: never;
        /** Forgets a database server. */
        delete: operations["deleteRdbmsserversName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/filehost-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the token. */
        get: operations["getFilehostTokens"];
        put?: never;
        /** Registers the token with which files of the file host are read. */
        post: operations["postFilehostTokens"];
        /** Forgets the token. */
        delete: operations["deleteFilehostTokens"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/http-creds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the registered prefixes. */
        get: operations["getHttpCreds"];
        put?: never;
        /** Registers credentials for all URLs below a prefix. */
        post: operations["postHttpCreds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/http-creds/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the credentials of a prefix. */
        get: operations["getHttpCredsName"];
        put?: never;
        post?: never;
        /** Forgets the credentials of a prefix. */
        delete: operations["deleteHttpCredsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objbuckets/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries the keys of a bucket: lists one object. */
        post: operations["postObjbucketsNameCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rdbmsservers/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries to log in to a database server. */
        post: operations["postRdbmsserversNameCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/filehost-tokens/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries the token of the file host: lists the top folder. */
        post: operations["postFilehostTokensCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/http-creds/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries the credentials of a prefix: requests it, with a token of the token endpoint where they are for one. */
        post: operations["postHttpCredsNameCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all registered credentials by kind and name, with their last use and last error. */
        get: operations["getCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credential-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who created, read, used, checked or deleted which credential and when, the newest first. */
        get: operations["getCredentialEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            code: string;
            message: string;
        };
        Position: {
            line: number;
            column: number;
        };
        QueryError: {
            message: string;
            positions: {
                begin: components["schemas"]["Position"];
                end: components["schemas"]["Position"];
            }[];
        };
        QueryFailure: {
            validationErrors: components["schemas"]["QueryError"][];
            runtimeError: null | components["schemas"]["QueryError"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getObjbuckets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    postObjbuckets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a text of Unicode characters without U+0000 */
                    name: string;
                    /** @description 1 to 64 letters, digits, "_" and "-" */
                    region: string;
                    credentials?: {
                        /** @description a text of ASCII characters without line breaks */
                        accessKey: string;
                        /** @description a text of Unicode characters without U+0000 */
                        secretKey: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description It is registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getObjbucketsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bucket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        credentials: {
                            /** @description a text of ASCII characters without line breaks */
                            accessKey: string;
                            /** @description a text of Unicode characters without U+0000 */
                            secretKey: string;
                        } | null;
                    };
                };
            };
        };
    };
    deleteObjbucketsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRdbmsservers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    postRdbmsservers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a text of Unicode characters without U+0000 */
                    name: string;
                    /** @enum {string} */
                    vendor: "postgresql";
                    /** @description a host name or an IP address, without a port */
                    host: string;
                    port: number;
                    /** @description a text of Unicode characters without U+0000 */
                    database: string;
                    /** @description a text of Unicode characters without U+0000 */
                    username?: string | null;
                    /** @description a text of Unicode characters without U+0000 */
                    password?: string | null;
                    properties?: {
                        /** @enum {string} */
                        sslmode?: "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
                        /** @description the text of PEM certificates, or system */
                        sslrootcert?: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description It is registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRdbmsserversName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "postgresql";
                        host: string;
                        port: number;
                        database: string;
                        username: string | null;
                        password: string | null;
                    };
                };
            };
        };
    };
    deleteRdbmsserversName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getFilehostTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description a text of ASCII characters without line breaks */
                        accessToken: string;
                        /** @enum {string} */
                        tokenType: "bearer";
                        /** @description a text of Unicode characters without U+0000 */
                        uid: string;
                    };
                };
            };
        };
    };
    postFilehostTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a text of ASCII characters without line breaks */
                    accessToken: string;
                    /** @enum {string} */
                    tokenType: "bearer";
                    /** @description a text of Unicode characters without U+0000 */
                    uid: string;
                };
            };
        };
        responses: {
            /** @description It is registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteFilehostTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getHttpCreds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prefixes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    postHttpCreds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a text of Unicode characters without U+0000 */
                    prefixUrl: string;
                    credentials: {
                        /** @constant */
                        type: "basic-auth";
                        /** @description a user name without ":" and control characters */
                        user: string;
                        /** @description a text of Unicode characters without U+0000 */
                        password: string;
                    } | {
                        /** @constant */
                        type: "oauth-client";
                        /** @description a text of Unicode characters without U+0000 */
                        clientId: string;
                        /** @description a text of Unicode characters without U+0000 */
                        clientSecret: string;
                        /** @description an http or https URL without user info and fragment */
                        tokenUrl: string;
                        useBasicAuth?: boolean | null;
                        /** @description a text of Unicode characters without U+0000 */
                        scope?: string | null;
                        /** @description a text of Unicode characters without U+0000 */
                        audience?: string | null;
                    } | {
                        /** @constant */
                        type: "oauth-token";
                        /** @description a text of ASCII characters without line breaks */
                        token: string;
                        /** @description a text of Unicode characters without U+0000 */
                        refreshToken?: string | null;
                        /** @description an http or https URL without user info and fragment */
                        tokenUrl?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description They are registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getHttpCredsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description a text of Unicode characters without U+0000 */
                        prefixUrl: string;
                        credentials: {
                            /** @constant */
                            type: "basic-auth";
                            /** @description a user name without ":" and control characters */
                            user: string;
                            /** @description a text of Unicode characters without U+0000 */
                            password: string;
                        } | {
                            /** @constant */
                            type: "oauth-client";
                            /** @description a text of Unicode characters without U+0000 */
                            clientId: string;
                            /** @description a text of Unicode characters without U+0000 */
                            clientSecret: string;
                            /** @description an http or https URL without user info and fragment */
                            tokenUrl: string;
                            useBasicAuth?: boolean | null;
                            /** @description a text of Unicode characters without U+0000 */
                            scope?: string | null;
                            /** @description a text of Unicode characters without U+0000 */
                            audience?: string | null;
                        } | {
                            /** @constant */
                            type: "oauth-token";
                            /** @description a text of ASCII characters without line breaks */
                            token: string;
                            /** @description a text of Unicode characters without U+0000 */
                            refreshToken?: string | null;
                            /** @description an http or https URL without user info and fragment */
                            tokenUrl?: string | null;
                        };
                    };
                };
            };
        };
    };
    deleteHttpCredsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postObjbucketsNameCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description Why it was not accepted; absent where it was. */
                        error?: string;
                    };
                };
            };
        };
    };
    postRdbmsserversNameCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description Why it was not accepted; absent where it was. */
                        error?: string;
                    };
                };
            };
        };
    };
    postFilehostTokensCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description Why it was not accepted; absent where it was. */
                        error?: string;
                    };
                };
            };
        };
    };
    postHttpCredsNameCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description Why it was not accepted; absent where it was. */
                        error?: string;
                    };
                };
            };
        };
    };
    getCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Summaries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "objbucket" | "rdbmsserver" | "filehost-token" | "http-credential";
                        /** @description As it was registered; null for the file host token, which has none. */
                        name: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        lastUsedAt: string | null;
                        /** Format: date-time */
                        lastErrorAt: string | null;
                        lastError: string | null;
                    }[];
                };
            };
        };
    };
    getCredentialEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only those before the event of this id. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** Format: date-time */
                        at: string;
                        /** @enum {string} */
                        action: "created" | "read" | "used" | "checked" | "refreshed" | "deleted";
                        /** @enum {string} */
                        kind: "objbucket" | "rdbmsserver" | "filehost-token" | "http-credential";
                        /** @description As it was registered; null for the file host token, which has none. */
                        name: string | null;
                        /** @description How many uses in a row it stands for. */
                        times: number;
                        error: string | null;
                    }[];
                };
            };
        };
    };
}
