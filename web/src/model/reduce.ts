// The one function that derives what the page knows from the events of a session. It depends on
// nothing but the state and the event it is given, and changes nothing but that state, so that the
// same events always mean the same: as they happen, read again after a reload, or with earlier pages
// before them. No DOM, no network, no clock.
import type { EndDetail, HubEvent, Numbered, SessionState } from '../protocol/contract.ts';
import { words } from '../words.ts';
import { reduceAgent } from './agent_messages.ts';
import { addPrompt, dropQueued, startQueued } from './prompts.ts';
import { addFailure, addMarker, findTool, touch } from './item_list.ts';
import type { State } from './state.ts';
import { stopTasks } from './tasks.ts';
import { endTurn } from './turns.ts';

/** Applies the event that comes next. */
export function reduce(state: State, { seq, time, event }: Numbered): void {
  state.seq = seq;
  state.time = time;
  state.made = 0;
  switch (event.kind) {
    case 'agent':
      return reduceAgent(state, event.message);
    case 'prompt':
      return addPrompt(state, { clientId: event.client_id, content: event.content, time });
    case 'taken_back':
      state.withdrawnIds.add(event.client_id);
      return dropQueued(state, event.client_id);
    case 'request':
      return ask(state, event);
    case 'resolved':
      return resolve(state, event);
    case 'settings':
      if (event.model !== undefined) state.facts.model = event.model;
      if (event.mode !== undefined) state.facts.mode = event.mode;
      if (event.title !== undefined) state.facts.title = event.title;
      return;
    case 'state':
      return reduceLife(state, event.state, event.detail ?? null);
    case 'left_out':
      addMarker(state, 'warning', words.leftOut(event.reason, event.detail, event.beginning));
  }
}

function ask(state: State, event: HubEvent & { kind: 'request' }): void {
  const { request_id: id, request } = event;
  if (state.pending.size === 0) state.turn.waitsSince = state.time;
  state.pending.set(id, { id, seq: state.seq, request, time: state.time });
  state.askedSeq = state.seq;
  const tool = findTool(state, request.tool_use_id);
  if (!tool) return;
  tool.asked = true;
  touch(state, tool);
}

function resolve(state: State, event: HubEvent & { kind: 'resolved' }): void {
  const asked = state.pending.get(event.request_id);
  state.pending.delete(event.request_id);
  state.askedSeq = state.seq;
  const { turn } = state;
  if (state.pending.size === 0 && turn.waitsSince !== null) {
    turn.waitedMs += state.time - turn.waitsSince;
    turn.waitsSince = null;
  }
  if (asked && event.reason === 'lost')
    addMarker(state, 'warning', words.requestLost(asked.request.tool_name));
  const tool = findTool(state, asked?.request.tool_use_id);
  if (!tool) return;
  tool.asked = false;
  tool.denied = event.answer?.behavior === 'deny';
  tool.denial = event.answer?.behavior === 'deny' ? event.answer.message : '';
  // The time that a person took is not the tool's.
  tool.time = state.time;
  touch(state, tool);
}

/** Beginning and end of the agent's process. */
function reduceLife(state: State, life: SessionState, detail: EndDetail | null): void {
  const before = state.facts.state;
  state.facts.state = life;
  switch (life) {
    case 'running':
    case 'waiting':
      state.busy = true;
      return;
    case 'starting':
      state.costBefore = state.facts.costUsd;
      stopTasks(state);
      return;
    case 'stored':
      state.busy = false;
      return;
    case 'idle':
      // An agent that has just started takes up what was sent to it before.
      if (before === 'starting') return;
      startQueued(state);
      state.busy = false;
      return;
    case 'ended':
    case 'failed':
      startQueued(state);
      stopTasks(state);
      endTurn(state);
      state.busy = false;
      state.pending.clear();
      if (life === 'failed') {
        addFailure(state, 'agent', '', detail);
      } else if (detail?.reason) {
        addMarker(state, 'notice', words.ended(detail.reason));
      }
  }
}
