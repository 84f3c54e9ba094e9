// The suite of a file whose tests run against the stub hub: import it, and each test has a hub.
import { beforeEach } from 'node:test';
import { StubSuite } from './stub_suite.mjs';

const suite = new StubSuite();
export const test = suite.test.bind(suite);
export const visit = suite.visit.bind(suite);
export const open = suite.open.bind(suite);
/** That of the test that runs. */
export let hub;

beforeEach(() => {
  hub = suite.hub;
});
