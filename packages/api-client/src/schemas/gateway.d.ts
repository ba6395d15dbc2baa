// Made by openapi-typescript of the gateway service's /openapi.json, without its errors. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/cli -t "types of the API"
export interface paths {
    "/svc/1/api/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the API keys of the namespace, oldest first, in pages. */
        get: operations["getSvc1ApiAdminKeys"];
        put?: never;
        /** Creates an API key, for 90 days unless `expiresAt` says otherwise. Its value is in this answer. */
        post: operations["postSvc1ApiAdminKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an API key. */
        get: operations["getSvc1ApiAdminKeysId"];
        put?: never;
        post?: never;
        /** Deletes an API key. */
        delete: operations["deleteSvc1ApiAdminKeysId"];
        options?: never;
        head?: never;
        /** Renames, activates, deactivates, prolongs or limits an API key. */
        patch: operations["patchSvc1ApiAdminKeysId"];
        trace?: never;
    };
    "/svc/1/api/admin/keys/{id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows the value of an API key. */
        post: operations["postSvc1ApiAdminKeysIdReveal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives an API key a new value; the value before holds for a while, if that is wanted. */
        post: operations["postSvc1ApiAdminKeysIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/application-schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of a definition, for editors. */
        get: operations["getSvc1ApiAdminApplicationSchemaJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/applications/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows an application with its endpoints, and what is wrong with it now. */
        get: operations["getSvc1ApiAdminApplicationsName"];
        /** Stores the definition of an application, in place of the one before. */
        put: operations["putSvc1ApiAdminApplicationsName"];
        post?: never;
        /** Deletes an application. Keys keep its scopes, which open nothing then. */
        delete: operations["deleteSvc1ApiAdminApplicationsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/applications/{name}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a definition as it was sent. */
        get: operations["getSvc1ApiAdminApplicationsNameDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the applications of the namespace with their endpoints, and what is wrong with them now. */
        get: operations["getSvc1ApiAdminApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who changed or revealed what, newest first. */
        get: operations["getSvc1ApiAdminAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/1/api/admin/endpoints/open-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the endpoints that the API key in X-SVC-API-KEY can call: OpenAPI 3.0.3, or 3.1 where that is asked for. */
        get: operations["getSvc1ApiAdminEndpointsOpenApi"];
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
    getSvc1ApiAdminKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of a key: only those after it are listed. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. Where the page is full, the header `Link` names the next one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** Format: date-time */
                        expiresAt: string;
                        active: boolean;
                        scopes: string[];
                        rateLimit: {
                            requests: number;
                            seconds: number;
                        } | null;
                        /** @enum {string} */
                        status: "active" | "inactive" | "expired";
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description At most 30 seconds late.
                         */
                        lastUsedAt: string | null;
                        /** @description The first characters of the value. */
                        keyPrefix: string;
                    }[];
                };
            };
        };
    };
    postSvc1ApiAdminKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a label that says what the key is for, without control characters */
                    name: string;
                    /** @description ISO 8601 in UTC, such as 2026-11-20T09:15:00Z, in the future */
                    expiresAt?: string;
                    /** @description True, if it is left out. */
                    active?: boolean;
                    /** @description Scopes that applications of the namespace declare. */
                    scopes?: string[];
                    rateLimit?: {
                        requests: number;
                        seconds: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** Format: date-time */
                        expiresAt: string;
                        active: boolean;
                        scopes: string[];
                        rateLimit: {
                            requests: number;
                            seconds: number;
                        } | null;
                        /** @enum {string} */
                        status: "active" | "inactive" | "expired";
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description At most 30 seconds late.
                         */
                        lastUsedAt: string | null;
                        /** @description The value, to be sent as X-SVC-API-KEY. */
                        key: string;
                    };
                };
            };
        };
    };
    getSvc1ApiAdminKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** Format: date-time */
                        expiresAt: string;
                        active: boolean;
                        scopes: string[];
                        rateLimit: {
                            requests: number;
                            seconds: number;
                        } | null;
                        /** @enum {string} */
                        status: "active" | "inactive" | "expired";
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description At most 30 seconds late.
                         */
                        lastUsedAt: string | null;
                        /** @description The first characters of the value. */
                        keyPrefix: string;
                    };
                };
            };
        };
    };
    deleteSvc1ApiAdminKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchSvc1ApiAdminKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a label that says what the key is for, without control characters */
                    name?: string;
                    active?: boolean;
                    /** @description ISO 8601 in UTC, such as 2026-11-20T09:15:00Z, in the future */
                    expiresAt?: string;
                    rateLimit?: {
                        requests: number;
                        seconds: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** Format: date-time */
                        expiresAt: string;
                        active: boolean;
                        scopes: string[];
                        rateLimit: {
                            requests: number;
                            seconds: number;
                        } | null;
                        /** @enum {string} */
                        status: "active" | "inactive" | "expired";
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description At most 30 seconds late.
                         */
                        lastUsedAt: string | null;
                        /** @description The first characters of the value. */
                        keyPrefix: string;
                    };
                };
            };
        };
    };
    postSvc1ApiAdminKeysIdReveal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: string;
                    };
                };
            };
        };
    };
    postSvc1ApiAdminKeysIdRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For how long the value before holds; 0, if it is left out. */
                    graceSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The key with its new value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** Format: date-time */
                        expiresAt: string;
                        active: boolean;
                        scopes: string[];
                        rateLimit: {
                            requests: number;
                            seconds: number;
                        } | null;
                        /** @enum {string} */
                        status: "active" | "inactive" | "expired";
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description At most 30 seconds late.
                         */
                        lastUsedAt: string | null;
                        /** @description The value, to be sent as X-SVC-API-KEY. */
                        key: string;
                    };
                };
            };
        };
    };
    getSvc1ApiAdminApplicationSchemaJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Schema 2020-12 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getSvc1ApiAdminApplicationsName: {
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
            /** @description The application. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        application: string;
                        endpoints: {
                            method: string;
                            path: string;
                            /** @enum {string} */
                            visibility: "public" | "private";
                            scopes: string[];
                            /** @description The function that answers, as package.function. */
                            function: string;
                        }[];
                        /** @description What keeps endpoints from being answered now. */
                        problems: {
                            message: string;
                            /** @description A JSON pointer into the definition. */
                            path: string;
                        }[];
                        title: string | null;
                        description: string | null;
                        /** @description The scopes that the definition declares. */
                        scopes: {
                            name: string;
                            description: string | null;
                        }[];
                    };
                };
            };
        };
    };
    putSvc1ApiAdminApplicationsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description A definition, YAML 1.2 or JSON. */
        requestBody: {
            content: {
                "application/yaml": string;
                "application/json": string;
            };
        };
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        application: string;
                        endpoints: {
                            method: string;
                            path: string;
                            /** @enum {string} */
                            visibility: "public" | "private";
                            scopes: string[];
                            /** @description The function that answers, as package.function. */
                            function: string;
                        }[];
                        /** @description What keeps endpoints from being answered now. */
                        problems: {
                            message: string;
                            /** @description A JSON pointer into the definition. */
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    deleteSvc1ApiAdminApplicationsName: {
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
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSvc1ApiAdminApplicationsNameDefinition: {
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
            /** @description The definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getSvc1ApiAdminApplications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The applications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        application: string;
                        endpoints: {
                            method: string;
                            path: string;
                            /** @enum {string} */
                            visibility: "public" | "private";
                            scopes: string[];
                            /** @description The function that answers, as package.function. */
                            function: string;
                        }[];
                        /** @description What keeps endpoints from being answered now. */
                        problems: {
                            message: string;
                            /** @description A JSON pointer into the definition. */
                            path: string;
                        }[];
                        title: string | null;
                        description: string | null;
                        /** @description The scopes that the definition declares. */
                        scopes: {
                            name: string;
                            description: string | null;
                        }[];
                    }[];
                };
            };
        };
    };
    getSvc1ApiAdminAudit: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of an entry: only older ones are listed. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /** Format: date-time */
                        at: string;
                        /** @description The subject that did it. */
                        actor: string;
                        /**
                         * @example key.create
                         * @example key.reveal
                         * @example application.put
                         */
                        action: string;
                        target: string;
                    }[];
                };
            };
        };
    };
    getSvc1ApiAdminEndpointsOpenApi: {
        parameters: {
            query?: {
                version?: "3.0" | "3.0.3" | "3.1" | "3.1.0";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description Changes with the document. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}
