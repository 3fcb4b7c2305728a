export { Load } from './load';
export * from './types';
export { type ApiState, useApi } from './use-api';
export { useSite } from './use-site';
