import type { ConsoleWorld } from './console-world.ts';

const DAY_MS = 86_400_000;

const SHOP = `
orders(since: date) := since;
place_order(item: string) := item;
lines(id: int) := id;
status() := "open";
`;

const SHOP_DEFINITION = `application: shop
title: Shop
description: Orders and reports of the shop.
scopes:
  - { name: "orders:read", description: See orders and their lines. }
  - { name: "orders:write", description: Place orders. }
  - name: "reports:run"
endpoints:
  - { path: /orders, method: get, function: shop.orders, scopes: ["orders:read"], summary: All orders since a day. }
  - { path: /orders, method: post, function: shop.place_order, scopes: ["orders:write"] }
  - { path: "/orders/{id}/lines", method: get, function: shop.lines, scopes: ["orders:read"] }
  - { path: /status, method: get, function: shop.status, visibility: public }
`;

/** A key as the tests create it. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** Stores the application `shop` and then removes its function `lines`, so that one of its endpoints has a problem. */
export async function putShop({ putPackage, call }: ConsoleWorld, subject?: string): Promise<void> {
  await putPackage('shop', SHOP, subject);
  const { status, body } = await call('PUT', '/applications/shop', SHOP_DEFINITION, subject);
  if (status !== 200) throw new Error(`The application was not put: ${JSON.stringify(body)}`);
  await putPackage('shop', SHOP.replace(/^lines.*$/m, ''), subject);
}

/** Creates a key by the API. */
export async function createKey({ call }: ConsoleWorld, key: Readonly<Record<string, unknown>>, subject?: string): Promise<CreatedKey> {
  const { status, body } = await call('POST', '/keys', key, subject);
  if (status !== 201) throw new Error(`The key was not created: ${JSON.stringify(body)}`);
  return body as CreatedKey; // the form of a 201
}

/** Returns the time a number of days from now in the format of the API. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
