//! Several nodes with leases against the real script, with a simulated time: random delays, lost requests and replies,
//! killed nodes, and clocks that differ.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use redis::{AsyncConnectionConfig, Script};
use toolgate_testkit::{Redis, volume};

use super::*;
use crate::limiter::NodeWindow;
use crate::limiter::window::Window;

/// The time of Redis when the simulation is at 0.
const REDIS_START_MS: u64 = 1_700_000_000_000;
const MINUTE_MS: u64 = 60_000;
const CHECK_INTERVAL_MS: u64 = REPORT_INTERVAL_MS / 2;
/// The longest gap between two calls of a node, so that it notices when its load changes.
const GAP_US_MAX: u64 = 2_000_000;
/// When a node stops waiting for a reply.
const TIMEOUT_MS: u64 = 50;

#[derive(Clone, Debug)]
struct Scenario {
    seed: u64,
    limit: u32,
    nodes: u32,
    /// Requests per minute, in percent of the limit, for each part of the time.
    load: Vec<u64>,
    duration_ms: u64,
    delay_ms_max: u64,
    /// How many of 1,000 requests and replies are lost.
    lost: u64,
    kills: u64,
}

/// A linear congruential generator; its high bits are the random ones.
struct ScenarioRandom(u64);

impl ScenarioRandom {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }
}

#[derive(Clone, Copy, Debug)]
enum NodeMessage {
    /// A request for slots in advance (a lease).
    Lease(LeaseRequest),
    /// A request for the slot of one call, without a lease.
    Single(SlotRequest),
}

impl NodeMessage {
    fn slots(&self) -> &SlotRequest {
        match self {
            Self::Lease(request) => &request.slots,
            Self::Single(slots) => slots,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Call(usize),
    Check(usize),
    Kill(usize),
    /// A message of a node arrives at Redis.
    AtRedis(usize, u64, NodeMessage),
    /// The reply arrives at the node; `None` after a timeout.
    AtNode(usize, u64, NodeMessage, Option<SlotReply>),
}

/// A node. A kill replaces it by a new one with another name.
struct SimulatedNode {
    name: u64,
    clock_offset_ms: u64,
    window: NodeWindow,
}

struct Simulation {
    scenario: Scenario,
    random: ScenarioRandom,
    script: Script,
    connection: redis::aio::MultiplexedConnection,
    key: String,
    nodes: Vec<SimulatedNode>,
    events: BinaryHeap<Reverse<(u64, usize)>>,
    scheduled: Vec<Option<Event>>,
    now_ms: u64,
    trips: u64,
    calls: Vec<u64>,
    admitted: Vec<u64>,
}

impl Simulation {
    async fn run(redis: &Redis, scenario: Scenario) -> Self {
        let source = include_str!("../../../cluster/window.lua").replace("redis.call('TIME')", "{ARGV[7], ARGV[8]}");
        let client = redis::Client::open(redis.url()).unwrap();
        // Without the default timeout of half a second, which a busy machine can exceed.
        let config = AsyncConnectionConfig::new().set_response_timeout(None);
        let mut simulation = Self {
            random: ScenarioRandom(scenario.seed),
            script: Script::new(&source),
            connection: client.get_multiplexed_async_connection_with_config(&config).await.unwrap(),
            key: format!("window:{}", scenario.seed),
            nodes: Vec::new(),
            events: BinaryHeap::new(),
            scheduled: Vec::new(),
            now_ms: 0,
            trips: 0,
            calls: Vec::new(),
            admitted: Vec::new(),
            scenario,
        };
        simulation.start();
        while let Some(Reverse((at_ms, index))) = simulation.events.pop() {
            if at_ms > simulation.scenario.duration_ms {
                break;
            }
            simulation.now_ms = at_ms;
            let event = simulation.scheduled[index].take().unwrap();
            simulation.handle(event).await;
        }
        simulation.admitted.sort_unstable();
        simulation
    }

    fn start(&mut self) {
        for name in 0..u64::from(self.scenario.nodes) {
            // Ten minutes apart.
            let clock_offset_ms = 1 + name * 600_000;
            let index = self.nodes.len();
            self.nodes.push(SimulatedNode { name, clock_offset_ms, window: NodeWindow::default() });
            self.schedule(name, Event::Call(index));
            self.schedule(CHECK_INTERVAL_MS, Event::Check(index));
        }
        for _ in 0..self.scenario.kills {
            let at_ms = self.random.below(self.scenario.duration_ms);
            let index = self.random.below(self.nodes.len() as u64);
            self.schedule(at_ms, Event::Kill(usize::try_from(index).unwrap()));
        }
    }

    fn schedule(&mut self, at_ms: u64, event: Event) {
        self.events.push(Reverse((at_ms, self.scheduled.len())));
        self.scheduled.push(Some(event));
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Call(index) => {
                self.call(index);
                self.schedule_next_call(index);
            }
            Event::Check(index) => {
                self.check(index);
                self.schedule(self.now_ms + CHECK_INTERVAL_MS, Event::Check(index));
            }
            Event::Kill(index) => {
                self.nodes[index].name += 1_000;
                self.nodes[index].window = NodeWindow::default();
            }
            Event::AtRedis(index, name, message) => self.ask_redis(index, name, message).await,
            Event::AtNode(index, name, message, reply) => self.receive(index, name, &message, reply),
        }
    }

    /// The gaps between the calls of a node differ from their mean by up to a half.
    fn schedule_next_call(&mut self, index: usize) {
        let Scenario { limit, nodes, load, duration_ms, .. } = &self.scenario;
        let part = load.len() as u64 * self.now_ms / (duration_ms + 1);
        let per_minute = u64::from(*limit) * load[usize::try_from(part).unwrap()] / 100 / u64::from(*nodes);
        let mean_us = (MINUTE_MS * 1_000 / per_minute.max(1)).min(GAP_US_MAX);
        let varied_us = mean_us / 2 + self.random.below(mean_us);
        // Times are whole milliseconds, so a gap is rounded up or down at random.
        let gap_ms = (varied_us + self.random.below(1_000)) / 1_000;
        self.schedule(self.now_ms + gap_ms, Event::Call(index));
    }

    fn call(&mut self, index: usize) {
        self.calls.push(self.now_ms);
        let (nodes, limit) = (self.scenario.nodes, self.scenario.limit);
        let node = &mut self.nodes[index];
        let local_ms = self.now_ms + node.clock_offset_ms;
        match node.window.lease().take(local_ms, limit, 0) {
            LeaseDecision::Admitted => {
                self.admitted.push(self.now_ms);
                node.window.window.record(local_ms);
                if let Some(request) = node.window.request_if_low(local_ms, nodes) {
                    self.send(index, NodeMessage::Lease(request));
                }
            }
            LeaseDecision::Refused(_) => {}
            LeaseDecision::Ask => {
                let request = node.window.request(local_ms, nodes).map(NodeMessage::Lease);
                let single = SlotRequest { limit, wanted: 1, ..SlotRequest::default() };
                self.send(index, request.unwrap_or(NodeMessage::Single(single)));
            }
        }
    }

    fn check(&mut self, index: usize) {
        let nodes = self.scenario.nodes;
        let node = &mut self.nodes[index];
        let local_ms = self.now_ms + node.clock_offset_ms;
        let recent = node.window.window.recent(local_ms);
        let lease = node.window.lease();
        let request = lease.is_due(local_ms).then(|| lease.request(local_ms, 0, recent, nodes)).flatten();
        if let Some(request) = request {
            self.send(index, NodeMessage::Lease(request));
        }
    }

    fn send(&mut self, index: usize, message: NodeMessage) {
        self.trips += 1;
        let name = self.nodes[index].name;
        if self.is_lost() {
            self.schedule(self.now_ms + TIMEOUT_MS, Event::AtNode(index, name, message, None));
        } else {
            let at_ms = self.now_ms + self.random.below(self.scenario.delay_ms_max + 1);
            self.schedule(at_ms, Event::AtRedis(index, name, message));
        }
    }

    fn is_lost(&mut self) -> bool {
        self.random.below(1_000) < self.scenario.lost
    }

    async fn ask_redis(&mut self, index: usize, name: u64, message: NodeMessage) {
        let (slots, redis_ms) = (message.slots(), REDIS_START_MS + self.now_ms);
        let account = slots.account.map(|account| format!("{name}:{account}")).unwrap_or_default();
        let mut script = self.script.key(&self.key);
        script.key(format!("leases:{{{}}}", self.key)).arg(slots.limit).arg(slots.wanted).arg(slots.ahead);
        script.arg(account).arg(slots.used).arg(slots.returned);
        script.arg(redis_ms / 1_000).arg(redis_ms % 1_000 * 1_000);
        let (admitted, leased, held, wait_ms): (u32, u32, u32, u64) =
            script.invoke_async(&mut self.connection).await.unwrap();
        // As without leases, a call counts when Redis admits it.
        self.admitted.extend((0..admitted).map(|_| self.now_ms));
        let reply = SlotReply { admitted, leased, held, wait: Duration::from_millis(wait_ms) };
        let is_lost = self.is_lost();
        let delay_ms = if is_lost { TIMEOUT_MS } else { self.random.below(self.scenario.delay_ms_max + 1) };
        self.schedule(self.now_ms + delay_ms, Event::AtNode(index, name, message, (!is_lost).then_some(reply)));
    }

    fn receive(&mut self, index: usize, name: u64, message: &NodeMessage, reply: Option<SlotReply>) {
        let node = &mut self.nodes[index];
        if node.name != name {
            return;
        }
        let local_ms = self.now_ms + node.clock_offset_ms;
        let admitted = reply.map_or(0, |reply| reply.admitted);
        (0..admitted).for_each(|_| node.window.window.record(local_ms));
        match (message, reply) {
            (NodeMessage::Lease(request), Some(reply)) => node.window.lease().apply(local_ms, request, &reply),
            (NodeMessage::Lease(request), None) => node.window.lease().abandon_request(request),
            (NodeMessage::Single(_), Some(reply)) => node.window.lease().set_refusal(local_ms, reply.wait),
            (NodeMessage::Single(_), None) => {}
        }
    }

    /// Whether no 60 seconds contain more admitted requests than the limit.
    fn is_within_limit(&self) -> bool {
        let limit = usize::try_from(self.scenario.limit).unwrap();
        self.admitted.windows(limit + 1).all(|window| window[limit] - window[0] > MINUTE_MS)
    }

    /// The number of the same calls that one node would have admitted.
    fn admitted_by_one_node(&self) -> u64 {
        let mut window = Window::default();
        self.calls.iter().map(|at_ms| u64::from(window.admit(*at_ms, self.scenario.limit).is_ok())).sum()
    }
}

#[tokio::test]
async fn nodes_with_leases_never_admit_more_than_the_limit_in_any_sixty_seconds() {
    let Some(redis) = Redis::start() else { return };
    for seed in 0..volume::full_or_sample(60, 10) {
        let mut random = ScenarioRandom(seed);
        let scenario = Scenario {
            seed,
            limit: random.choose(&[1_000, 2_500, 6_000, 20_000]),
            nodes: u32::try_from(1 + random.below(5)).unwrap(),
            load: (0..6).map(|_| random.choose(&[0, 30, 90, 110, 300, 1_000])).collect(),
            duration_ms: 150_000,
            delay_ms_max: random.choose(&[0, 2, 20, 45]),
            lost: random.choose(&[0, 0, 5, 100]),
            kills: random.choose(&[0, 3, 30]),
        };
        let simulation = Simulation::run(&redis, scenario).await;
        assert!(simulation.is_within_limit(), "{:?}", simulation.scenario);
        assert!(!simulation.admitted.is_empty(), "{:?}", simulation.scenario);
    }
}

#[tokio::test]
async fn under_steady_load_nodes_with_leases_admit_at_most_two_percent_less_than_one_node() {
    let Some(redis) = Redis::start() else { return };
    let mut seed = 1_000;
    for (limit, nodes) in [(1_000, 1), (1_000, 3), (3_000, 3), (30_000, 5)] {
        for load in [97, 100, 130, 400] {
            seed += 1;
            let scenario = Scenario {
                seed,
                limit,
                nodes,
                load: vec![load],
                duration_ms: 200_000,
                delay_ms_max: 2,
                lost: 0,
                kills: 0,
            };
            let simulation = Simulation::run(&redis, scenario).await;
            assert!(simulation.is_within_limit(), "{:?}", simulation.scenario);
            let (admitted, expected) = (simulation.admitted.len() as u64, simulation.admitted_by_one_node());
            assert!(admitted * 100 >= expected * 98, "{admitted} instead of {expected}: {:?}", simulation.scenario);
        }
    }
}

#[tokio::test]
async fn at_a_hundred_thousand_calls_a_minute_there_is_one_request_to_redis_for_twenty_calls() {
    let Some(redis) = Redis::start() else { return };
    for (seed, load, nodes) in [(2_001, 100, 3), (2_002, 120, 3), (2_003, 80, 10)] {
        let scenario = Scenario {
            seed,
            limit: 100_000,
            nodes,
            load: vec![load],
            duration_ms: 130_000,
            delay_ms_max: 2,
            lost: 0,
            kills: 0,
        };
        let simulation = Simulation::run(&redis, scenario).await;
        assert!(simulation.is_within_limit(), "{:?}", simulation.scenario);
        let calls = simulation.calls.len() as u64;
        assert!(
            simulation.trips * 20 <= calls,
            "{} trips for {calls} calls: {:?}",
            simulation.trips,
            simulation.scenario
        );
    }
}
