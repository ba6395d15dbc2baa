import { answerError, answerProblem, isUnexpected } from './error-answer.ts';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';
import { failedQuery, invalidQuery } from './query-failure.ts';
import { ServiceError } from './service-error.ts';

const POSITIONS = [{ begin: { line: 1, column: 8 }, end: { line: 1, column: 12 } }];

describe('answerError', () => {
  test.each(Object.keys(ERROR_CATALOG) as ErrorCode[])('%s is answered with its code, a message and its status', (code) => {
    const answer = answerError(new ServiceError(code, 'the subject'), 'r1');

    expect(answer.status).toBe(ERROR_CATALOG[code].status);
    expect(answer.body).toEqual({ code, message: expect.stringContaining('the subject') });
  });

  test('the codes that the interface lists have status 400', () => {
    const listed = (Object.keys(ERROR_CATALOG) as ErrorCode[]).filter((code) =>
      /^(view|package|table|Table|index|vacuum|objstore|database|filehost|http)_/.test(code),
    );

    expect(listed).toHaveLength(23);
    expect(new Set(listed.map((code) => ERROR_CATALOG[code].status))).toEqual(new Set([400]));
  });

  test('headers and members of the error are answered', () => {
    const error = new ServiceError('service_unavailable', 'Too many queries are running.', {
      headers: { 'Retry-After': '2' },
      members: { validationErrors: [] },
    });

    const answer = answerError(error, 'r1');

    expect(answer.headers).toEqual({ 'Retry-After': '2', 'Content-Type': 'application/json; charset=utf-8' });
    expect(answer.body).toEqual({ code: 'service_unavailable', message: 'Too many queries are running.', validationErrors: [] });
  });

  test('no member can replace the code or the message', () => {
    const error = new ServiceError('forbidden', 'No.', { members: { code: 'ok', message: 'yes' } });

    expect(answerError(error, 'r1').body).toEqual({ code: 'forbidden', message: 'No.' });
  });

  test('a cause is never shown', () => {
    const error = new ServiceError('vacuum_error', 'The table cannot be vacuumed now.', {
      cause: new Error('relation "secret_rows" at /var/lib'),
    });

    expect(JSON.stringify(answerError(error, 'r1'))).not.toContain('secret');
    expect(error.cause).toBeInstanceOf(Error);
  });

  test.each([new Error('password=hunter2'), 'hunter2', null, undefined, { code: 'bad_request', status: 200 }])(
    'an unexpected %p is an internal error that shows the request id only',
    (thrown) => {
      expect(answerError(thrown, 'r-77')).toEqual({
        status: 500,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        body: { code: 'internal_error', message: 'Something went wrong inside the service. The request id is r-77.' },
      });
      expect(isUnexpected(thrown)).toBe(true);
    },
  );

  test('an invalid query is answered with all its errors and no runtime error', () => {
    const errors = [
      { message: 'Unknown name "a".', positions: POSITIONS },
      { message: 'Unknown name "b".', positions: [] },
    ];

    const answer = answerError(invalidQuery(errors), 'r1');

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ validationErrors: errors, runtimeError: null });
    expect(isUnexpected(invalidQuery(errors))).toBe(false);
  });

  test('a query that failed while running is answered with its runtime error', () => {
    const error = { message: 'Division by zero.', positions: POSITIONS };

    expect(answerError(failedQuery(error, { cause: new Error('engine text') }), 'r1').body).toEqual({
      validationErrors: [],
      runtimeError: error,
    });
  });
});

describe('answerProblem', () => {
  test('a coded error has the members of RFC 9457 beside its own', () => {
    const answer = answerProblem(new ServiceError('view_not_found', 'films'), 'r1');

    expect(answer.headers['Content-Type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'View "films" does not exist.',
      code: 'view_not_found',
      message: 'View "films" does not exist.',
    });
  });

  test('the failure of a query tells its first error as detail', () => {
    const answer = answerProblem(invalidQuery([{ message: 'Unknown name "a".', positions: POSITIONS }]), 'r1');

    expect(answer.body).toMatchObject({ status: 400, detail: 'Unknown name "a".', runtimeError: null });
    expect(answer.body['validationErrors']).toHaveLength(1);
  });
});
