/** Schemas as strict as the services are that hold a model to one: each object closed, each of its keys required. */

type Schema = Readonly<Record<string, unknown>>;

/** @returns null for a schema that is taken */
export function schemaProblem(schema: unknown, place = 'schema'): string | null {
  if (typeof schema !== 'object' || schema === null) return `${place} is no object`;
  const { type, anyOf, properties = {}, items, required, additionalProperties } = schema as Schema;
  if (Array.isArray(anyOf)) return place === 'schema' ? 'the root is a union' : firstProblem(anyOf, `${place}.anyOf`);
  if (place === 'schema' && type !== 'object') return 'the root is no object';
  if (type === 'array') return schemaProblem(items, `${place}.items`);
  if (type !== 'object')
    return ['string', 'boolean', 'integer', 'number'].includes(String(type)) ? null : `${place} has no type`;
  if (additionalProperties !== false) return `${place}: additionalProperties must be false`;
  const names = Object.keys(properties as Schema);
  if (JSON.stringify(required) !== JSON.stringify(names)) return `${place}: every key must be required`;
  return firstProblem(Object.values(properties as Schema), `${place}.properties`);
}

function firstProblem(schemas: readonly unknown[], place: string): string | null {
  return schemas.map((schema) => schemaProblem(schema, place)).find((problem) => problem !== null) ?? null;
}
