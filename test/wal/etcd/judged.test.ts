// The simulation of etcd's wal packages says what the real ones said: error, words, state, entries, repair and what it leaves.
import { describe, expect, it } from 'vitest';
import { ourAnswers, questionsOf } from './answers.ts';
import { digestOf, digestOfRequests, GROUPS, REQUESTS, readJudged } from './judged.ts';
import { ourRequestAnswer, requestCases } from './request-cases.ts';

const MINORS = ['3.5', '3.6', '3.7'] as const;

describe.each(Object.keys(GROUPS))('answers to every log of group %s', (group) => {
  it.each(MINORS)('are those of the wal package of %s', { timeout: 120_000 }, (minor) => {
    const recorded = readJudged(group, digestOf(GROUPS[group]!()));
    const wrong: string[] = [];
    let count = 0;
    for (const one of GROUPS[group]!()) {
      const real = recorded.get(one.id)?.[minor];
      if (real === undefined) throw new Error(`${one.id} was not recorded`);
      const ours = ourAnswers(one, minor);
      for (const [i, question] of questionsOf(one).entries()) {
        if (ours[i] !== real[i]) wrong.push(`${one.id} ${question.kind}\n  real ${real[i]}\n  ours ${ours[i]}`);
      }
      count++;
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(count).toBe(recorded.size);
  });
});

describe('answers to every payload of an entry', () => {
  it.each(MINORS)('are those of the parsers of %s', (minor) => {
    const recorded = readJudged(REQUESTS, digestOfRequests(requestCases()));
    const wrong: string[] = [];
    for (const one of requestCases()) {
      const [real] = recorded.get(one.id)?.[minor] ?? [];
      const ours = ourRequestAnswer(one, minor);
      if (ours !== real) wrong.push(`${one.id}\n  real ${real}\n  ours ${ours}`);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
