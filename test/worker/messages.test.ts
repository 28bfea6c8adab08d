import { describe, expect, test } from 'vitest';
import { DatadirError, isDatadirError } from '../../src/errors.ts';
import { errorFromFields, errorToFields } from '../../src/worker/messages.ts';

const overTheWire = (error: unknown): DatadirError => errorFromFields(structuredClone(errorToFields(error)));

describe('an error on its way between threads', () => {
  test('stays one of ours, with all its fields', () => {
    const cause = Object.assign(new RangeError('deep down'), { code: 'EIO' });
    const details = { path: 'db', offset: 5, pageId: 7, systemCode: 'EIO', expected: 'a', actual: 'b', cause };
    const error = new DatadirError('BOLT_DAMAGED', 'the message', details);
    const arrived = overTheWire(error);
    expect(isDatadirError(arrived, 'BOLT_DAMAGED')).toBe(true);
    expect(arrived).toMatchObject({ message: 'the message', ...details, cause: expect.anything(), stack: error.stack });
    expect(arrived.cause).toMatchObject({ name: 'RangeError', message: 'deep down', code: 'EIO', stack: cause.stack });
    expect(arrived.cause).toBeInstanceOf(Error);
  });

  test('gets no fields that it did not have', () => {
    const arrived = overTheWire(new DatadirError('UNKNOWN_KIND', 'what is it'));
    expect(arrived).toMatchObject({ path: undefined, offset: undefined });
    expect(arrived).not.toHaveProperty('cause');
  });

  test('becomes INTERNAL when it is not one of ours', () => {
    expect(overTheWire(new TypeError('x is not a function'))).toMatchObject({
      code: 'INTERNAL',
      message: 'TypeError: x is not a function',
      cause: { name: 'TypeError', message: 'x is not a function' },
    });
    expect(overTheWire(() => {}).code).toBe('INTERNAL');
    expect(overTheWire(undefined).code).toBe('INTERNAL');
  });
});
