// npm test's closing line is a sum of counts read from CTest's output.
import { expect, test } from 'vitest';
import { countCTest } from '../../scripts/lib/suites.mjs';

test.each([
  [
    'a program is counted by its own tests',
    `1: [==========] 12 tests from 3 test suites ran. (4 ms total)
1: [  PASSED  ] 12 tests.
1/1 Test #1: json .............................   Passed    0.01 sec`,
    { passed: 12, failed: 0 },
  ],
  [
    'a failing program too',
    `1: [  PASSED  ] 10 tests.
1: [  FAILED  ] 2 tests, listed below:
1: [  FAILED  ] Reader.Numbers
1: [  FAILED  ] Reader.Strings
1/1 Test #1: json .............................***Failed    0.01 sec`,
    { passed: 10, failed: 2 },
  ],
  [
    'a program that dies before its summary is one failure',
    `1: [ RUN      ] Reader.Deep
1/1 Test #1: json .............................***Exception: SegFault  0.01 sec`,
    { passed: 0, failed: 1 },
  ],
  [
    'a program that dies after its summary is one failure more',
    `1: [  PASSED  ] 10 tests.
1/1 Test #1: json .............................***Exception: SegFault  0.01 sec`,
    { passed: 10, failed: 1 },
  ],
  [
    'a program without tests is a failure',
    `1: [  PASSED  ] 0 tests.
1/1 Test #1: json .............................   Passed    0.01 sec`,
    { passed: 0, failed: 1 },
  ],
  [
    'a check is one test',
    `1/2 Test #1: layers ...........................   Passed    0.05 sec
2/2 Test #2: fresh ............................***Failed    0.05 sec`,
    { passed: 1, failed: 1 },
  ],
])('%s', (_, output, counts) => {
  expect(countCTest(output)).toEqual(counts);
});
