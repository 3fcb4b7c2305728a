export * from './types';
export { type ApiState, useApi } from './use-api';
export { useSite } from './use-site';
