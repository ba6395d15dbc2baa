/** Points of a batch's way at which tests stop a process. */
export const INJECTION_POINTS = [
  'before-transform',
  'before-begin',
  'after-rows',
  'before-commit',
  'after-commit',
  'before-courtesy',
] as const;

/** A name of INJECTION_POINTS. */
export type InjectionPoint = (typeof INJECTION_POINTS)[number];

/** Called at each injection point. Does nothing in a service. */
export type Inject = (point: InjectionPoint) => Promise<void> | void;

/** Injects nothing: the default of a service. */
export const injectNothing: Inject = () => undefined;
