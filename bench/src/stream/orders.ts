/** A message of about 200 bytes, as JSON. */
export function orderMessage(i: number): string {
  return JSON.stringify({
    id: i,
    customer: `customer-${(i * 7919) % 100_003}`,
    product: `product number ${i % 977} of a long list`,
    quantity: 1 + (i % 9),
    price: ((i * 37) % 10_000) / 100,
    at: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    country: i % 5 === 0 ? null : 'France',
    note: 'neither read nor kept',
  });
}

/** Parameters of every transform. */
export const PARAMETERS =
  '\\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';

/** An order with seven typed members and two derived fields. */
export const ORDER_TRANSFORM = `${PARAMETERS} {
  sale := PARSE_JSON(DECODE(value) AS record(id: long, customer: string, product: string, quantity: int, price: double, at: timestamp,
    country: string nullable));
  sale ++ (total: sale.price * sale.quantity, day: CAST(sale.at AS date))
}`;
