/** Types of requests and responses, derived from the OpenAPI document. */
import type { paths } from './schema';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that support the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends { [K in M]: infer O } ? O : never;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;

/** The body of a successful response. */
export type ResponseBody<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201)]> : never;

/** The body of a request. */
export type RequestBody<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : never;

type PathParams<O> = O extends { parameters: { path: infer Path extends object } } ? { path: Path } : { path?: never };
type QueryParams<O> = O extends { parameters: { query?: infer Query } }
  ? { query?: AllowUndefined<NonNullable<Query>> }
  : object;

/** A query parameter that is not set may be passed as undefined. */
type AllowUndefined<T> = { [K in keyof T]: T[K] | undefined };

export type Options<M extends Method, P extends PathOf<M>> = PathParams<Operation<M, P>> &
  QueryParams<Operation<M, P>> & { signal?: AbortSignal | undefined };

/** Options are optional unless the path has parameters. */
export type OptionsArgument<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: { path: object } } ? [Options<M, P>] : [Options<M, P>?];
