// Made by openapi-typescript of the stream service's /openapi.json, without its errors. After a change of the API:
// REWRITE_CASES=1 npx pnpm -s jest e2e/src/cli -t "types of the API"
export interface paths {
    "/stream/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the jobs of a stream. */
        get: operations["getStreamName"];
        put?: never;
        /** Creates a stream: messages of a topic become rows of a table, each exactly once. */
        post: operations["postStreamName"];
        /** Stops a stream and forgets it. Its table stays, and so does how far it came. */
        delete: operations["deleteStreamName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists streams by name. */
        get: operations["getStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops all jobs of a stream for good; a POST of its name starts it anew. */
        post: operations["postStreamNameKill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops all jobs of a stream until it is resumed. */
        post: operations["postStreamNamePause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a paused stream go on where it was. */
        post: operations["postStreamNameResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/logs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest lines that a job wrote, of all processes. */
        get: operations["getStreamNameLogsJob"];
        put?: never;
        /** The latest lines that a job wrote, of all processes. */
        post: operations["postStreamNameLogsJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream-validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The table that a transform would make, and what it makes of the latest messages of a topic. Stores nothing. */
        post: operations["postStreamValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages that could not be stored, in the order in which they came, with the reason. */
        get: operations["getStreamNameDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{name}/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs the transform over the dead letters once more. What is stored is dead no longer. */
        post: operations["postStreamNameDeadLettersReplay"];
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
    getStreamName: {
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
            /** @description Its jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        name: "data" | "index" | "retention";
                        /** @enum {string} */
                        state: "preparing" | "running" | "failed";
                        detail: string;
                    }[];
                };
            };
        };
    };
    postStreamName: {
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
                    /** @description The host of a broker. */
                    host: string;
                    port: number;
                    topic: string;
                    /** @description A function of a message whose result is a record. */
                    transform: string;
                    /** @default null */
                    security?: {
                        /** @default true */
                        tls?: boolean | {
                            /** @description Certificates as PEM, of which one has signed that of the broker. */
                            ca: string;
                        };
                        sasl?: {
                            /** @enum {string} */
                            mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
                            username: string;
                            /** @description Kept sealed, and never shown. */
                            password: string;
                        } | null;
                    } | null;
                    /** @default 1000 */
                    intervalMillis?: number;
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
                    /**
                     * @description Whether every row is kept, or the latest of a key.
                     * @default append
                     * @enum {string}
                     */
                    mode?: "append" | "upsert";
                    /** @description Of "upsert": each of their values has one row. */
                    keyFields?: string[];
                    /** @description How long rows are kept; null: for ever. */
                    retention?: {
                        /** @description ISO 8601, such as P30D. */
                        interval: string;
                        /** @description The timestamp from which it is counted. */
                        field: string;
                    } | null;
                    /**
                     * @description Adds nullable fields that the table lacks.
                     * @default false
                     */
                    evolve?: boolean;
                };
            };
        };
        responses: {
            /** @description It runs, and its table is there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteStreamName: {
        parameters: {
            query?: {
                /** @description Does not wait for a batch that is being stored. */
                force?: boolean;
            };
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
    getStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The streams. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tableName: string;
                        /** @description Local ISO time in UTC, such as 2026-11-20T09:15:00.123. */
                        createdAt: string;
                        /**
                         * @description Whether every row is kept, or the latest of a key.
                         * @default append
                         * @enum {string}
                         */
                        mode: "append" | "upsert";
                        /** @description Of "upsert": each of their values has one row. */
                        keyFields?: string[];
                        /** @description How long rows are kept; null: for ever. */
                        retention?: {
                            /** @description ISO 8601, such as P30D. */
                            interval: string;
                            /** @description The timestamp from which it is counted. */
                            field: string;
                        } | null;
                        /**
                         * @description Adds nullable fields that the table lacks.
                         * @default false
                         */
                        evolve: boolean;
                    }[];
                };
            };
        };
    };
    postStreamNameKill: {
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
    postStreamNamePause: {
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
    postStreamNameResume: {
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
    getStreamNameLogsJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A line each: time of day, level, message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    postStreamNameLogsJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A line each: time of day, level, message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    postStreamValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The host of a broker. */
                    host?: string;
                    port?: number;
                    topic?: string;
                    /** @description A function of a message whose result is a record. */
                    transform: string;
                    /** @default null */
                    security?: {
                        /** @default true */
                        tls?: boolean | {
                            /** @description Certificates as PEM, of which one has signed that of the broker. */
                            ca: string;
                        };
                        sasl?: {
                            /** @enum {string} */
                            mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
                            username: string;
                            /** @description Kept sealed, and never shown. */
                            password: string;
                        } | null;
                    } | null;
                    /** @description So many of the latest messages are transformed. */
                    sample?: number;
                };
            };
        };
        responses: {
            /** @description The transform can be used. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The type of the table. */
                        type: string;
                        sample?: {
                            topic: string;
                            partition: number;
                            offset: number;
                            timestamp: string;
                            /** @description Base64. */
                            key: string | null;
                            /** @description Base64. */
                            value: string | null;
                            /** @description The row; null where the transform has none for the message, or fails. */
                            row: unknown;
                            error: {
                                message: string;
                                position: {
                                    begin: {
                                        line: number;
                                        column: number;
                                    };
                                    end: {
                                        line: number;
                                        column: number;
                                    };
                                } | null;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    getStreamNameDeadLetters: {
        parameters: {
            query?: {
                /** @description The id behind which to go on. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The letters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        topic: string;
                        partition: number;
                        offset: number;
                        timestamp: string;
                        /** @description Base64. */
                        key: string | null;
                        /** @description Base64. */
                        value: string | null;
                        reason: string;
                        /** @description The place in the transform. */
                        position: {
                            begin: {
                                line: number;
                                column: number;
                            };
                            end: {
                                line: number;
                                column: number;
                            };
                        } | null;
                        createdAt: string;
                    }[];
                };
            };
        };
    };
    postStreamNameDeadLettersReplay: {
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
            /** @description What became of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Letters that were tried. */
                        replayed: number;
                        /** @description Rows that were stored. */
                        rows: number;
                        /** @description Letters that are still dead, with their new reasons. */
                        dead: number;
                    };
                };
            };
        };
    };
}
