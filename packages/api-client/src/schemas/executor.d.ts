// Made by openapi-typescript of the executor service's /openapi.json, without its errors. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/cli -t "types of the API"
export interface paths {
    "/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a query. One that ends in a function takes its arguments from the query string. */
        post: operations["postQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query-validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Checks a query without running it. */
        post: operations["postQueryValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The queries of the caller that run in this process, the oldest first. */
        get: operations["getQueries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancels a query of the caller, whichever process runs it. Its answer is a runtimeError, or breaks off where it has begun. */
        delete: operations["deleteQueriesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a view. */
        get: operations["getViewsName"];
        /** Stores a query under a name that queries can use. */
        put: operations["putViewsName"];
        post?: never;
        /** Deletes a view. What uses it says so when it is used. */
        delete: operations["deleteViewsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists views by name. */
        get: operations["getViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a package. */
        get: operations["getPackagesName"];
        /** Stores code under a name that queries, views and packages can import from. */
        put: operations["putPackagesName"];
        post?: never;
        /** Deletes a package. What imports it says so when it is used. */
        delete: operations["deletePackagesName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists packages by name. */
        get: operations["getPackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages/{package}/functions/{function}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a public function of a package with a JSON object of arguments by name; those that have defaults may be left out. */
        post: operations["postPackagesPackageFunctionsFunction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/v3/package/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the REST endpoints of a package: OpenAPI 3.0.3, or 3.1 where that is asked for. */
        get: operations["getOpenapiV3PackageName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a table. */
        get: operations["getTablesName"];
        /** Makes a table of a type under a name that queries can use. */
        put: operations["putTablesName"];
        post?: never;
        /** Deletes a table with its rows. What uses it says so when it is used. */
        delete: operations["deleteTablesName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tables by name. */
        get: operations["getTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a table with its rows. What uses it says so when it is used. */
        delete: operations["deleteTableName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables_optimize/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rebuilds the indexes of a table and takes its statistics anew, beside those who read and write. */
        get: operations["getTablesOptimizeName"];
        put?: never;
        /** Rebuilds the indexes of a table and takes its statistics anew, beside those who read and write. */
        post: operations["postTablesOptimizeName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables_vacuum/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Frees the room of rows that are no more, beside those who read and write. */
        get: operations["getTablesVacuumName"];
        put?: never;
        /** Frees the room of rows that are no more, beside those who read and write. */
        post: operations["postTablesVacuumName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables/{name}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Appends rows to a table: all of them, or none. */
        post: operations["postTablesNameRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists views, tables and packages with their types and what each uses. */
        get: operations["getCatalog"];
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
    postQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Format of the result; hjson is one JSON value per line, sqlite and the two parquets are files. */
                "X-SVC-output-format"?: "hjson" | "json" | "csv" | "sqlite" | "parquet-avro" | "parquet-raw";
                /** @description Lines of hjson and csv end with \n\r. */
                "X-SVC-windows-line-ending"?: boolean;
                /** @description At most so many bytes of body; text ends after the last whole value that fits. */
                "X-SVC-max-bytes"?: number;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The query. */
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    /** @description Names this run of the query. */
                    "X-SVC-Query-Id"?: string;
                    /** @description Milliseconds of wait, check, plan, read and execute; a trailer on chunked answers. */
                    "Server-Timing"?: string;
                    /** @description true where X-SVC-max-bytes cut the result; a trailer on chunked answers. */
                    "X-SVC-Truncated"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/json": unknown;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.sqlite3": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    postQueryValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query. */
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The type of the result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The type of the result, such as collection(string). */
                        type: string;
                    };
                };
            };
        };
    };
    getQueries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The X-SVC-Query-Id of its answer. */
                        id: string;
                        /** @description The first 200 characters of its text. */
                        query: string;
                        /** @description When it came, in UTC: 2026-11-20T09:15:00.123. */
                        startedAt: string;
                        /** @description Rows of the result so far. */
                        rows: number;
                        /** @description Bytes of the result so far, before compression. */
                        bytes: number;
                    }[];
                };
            };
        };
    };
    deleteQueriesId: {
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
            /** @description Cancelled. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getViewsName: {
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
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        query: string;
                        /** @description Local ISO time in UTC, such as 2026-11-20T09:15:00.123. */
                        createdAt: string;
                        /** @description Null until it was replaced. */
                        updatedAt: string | null;
                    };
                };
            };
        };
    };
    putViewsName: {
        parameters: {
            query?: {
                /** @description Replaces what has the name, in one step. */
                replace?: boolean;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description The query. */
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The type of the view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The type of the result, such as collection(string). */
                        type: string;
                    };
                };
            };
        };
    };
    deleteViewsName: {
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
    getViews: {
        parameters: {
            query?: {
                /** @description An SQL LIKE pattern of names: % any text, _ one character, \ before either. */
                pattern?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        query: string;
                        /** @description Local ISO time in UTC, such as 2026-11-20T09:15:00.123. */
                        createdAt: string;
                        /** @description Null until it was replaced. */
                        updatedAt: string | null;
                    }[];
                };
            };
        };
    };
    getPackagesName: {
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
            /** @description The package. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        query: string;
                        /** @description Local ISO time in UTC, such as 2026-11-20T09:15:00.123. */
                        createdAt: string;
                        /** @description Null until it was replaced. */
                        updatedAt: string | null;
                    };
                };
            };
        };
    };
    putPackagesName: {
        parameters: {
            query?: {
                /** @description Replaces what has the name, in one step. */
                replace?: boolean;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description The code. */
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The type of the final expression, or the record of its public data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The type of the result, such as collection(string). */
                        type: string;
                    };
                };
            };
        };
    };
    deletePackagesName: {
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
    getPackages: {
        parameters: {
            query?: {
                /** @description An SQL LIKE pattern of names: % any text, _ one character, \ before either. */
                pattern?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The packages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        query: string;
                        createdAt: string;
                    }[];
                };
            };
        };
    };
    postPackagesPackageFunctionsFunction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Format of the result; hjson is one JSON value per line, sqlite and the two parquets are files. */
                "X-SVC-output-format"?: "hjson" | "json" | "csv" | "sqlite" | "parquet-avro" | "parquet-raw";
                /** @description Lines of hjson and csv end with \n\r. */
                "X-SVC-windows-line-ending"?: boolean;
                /** @description At most so many bytes of body; text ends after the last whole value that fits. */
                "X-SVC-max-bytes"?: number;
            };
            path: {
                package: string;
                function: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    /** @description Names this run of the query. */
                    "X-SVC-Query-Id"?: string;
                    /** @description Milliseconds of wait, check, plan, read and execute; a trailer on chunked answers. */
                    "Server-Timing"?: string;
                    /** @description true where X-SVC-max-bytes cut the result; a trailer on chunked answers. */
                    "X-SVC-Truncated"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/json": unknown;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.sqlite3": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    getOpenapiV3PackageName: {
        parameters: {
            query?: {
                /** @description The version of OpenAPI; counts more than Accept. */
                version?: "3.0" | "3.0.3" | "3.1" | "3.1.0";
            };
            header?: never;
            path: {
                name: string;
            };
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
                    "application/vnd.oai.openapi+json;version=3.0": Record<string, never>;
                    "application/vnd.oai.openapi+json;version=3.1": Record<string, never>;
                    "application/vnd.oai.openapi+json": Record<string, never>;
                    "application/json;version=3.0": Record<string, never>;
                    "application/json;version=3.1": Record<string, never>;
                };
            };
        };
    };
    getTablesName: {
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
            /** @description The table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        type: string;
                        location: string | null;
                        /** @description Year, month, day, hour, minute, second, nanoseconds, in UTC. */
                        createdAt: number[];
                        updatedAt: number[] | null;
                    };
                };
            };
        };
    };
    putTablesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Any collection, such as collection(record(id: int, name: string)). */
                    type: string;
                    /** @default [] */
                    indexes?: (string | string[] | {
                        fields: string[];
                        name?: string;
                        /** @default false */
                        unique?: boolean;
                    })[];
                    /**
                     * @description Null: the service keeps the rows.
                     * @default null
                     */
                    location?: string | null;
                };
            };
        };
        responses: {
            /** @description It is there, empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteTablesName: {
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
    getTables: {
        parameters: {
            query?: {
                /** @description An SQL LIKE pattern of names: % any text, _ one character, \ before either. */
                pattern?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tables. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        type: string;
                        location: string | null;
                        /** @description Year, month, day, hour, minute, second, nanoseconds, in UTC. */
                        createdAt: number[];
                        updatedAt: number[] | null;
                    }[];
                };
            };
        };
    };
    deleteTableName: {
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
    getTablesOptimizeName: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postTablesOptimizeName: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTablesVacuumName: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postTablesVacuumName: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postTablesNameRows: {
        parameters: {
            query?: never;
            header?: {
                /** @description Rows that are sent again under their key within a day are not stored again. */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description JSON lines, or CSV with a header; UTF-8, of any length, plain or compressed by gzip or zstd. */
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "application/jsonl": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description The rows are stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many rows were stored. */
                        rows: number;
                    };
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be named in a query. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: {
                            name: string;
                            type: string;
                            /** @description What it uses itself. */
                            uses: {
                                /** @enum {string} */
                                kind: "view" | "table" | "package";
                                name: string;
                            }[];
                        }[];
                        tables: {
                            name: string;
                            type: string;
                        }[];
                        packages: {
                            name: string;
                            type: string;
                            /** @description What it uses itself. */
                            uses: {
                                /** @enum {string} */
                                kind: "view" | "table" | "package";
                                name: string;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
}
