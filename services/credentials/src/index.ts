export { createCredentialsApp, type CredentialsDependencies } from './app.ts';
