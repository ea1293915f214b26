import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A discrete event simulation: tasks with priorities, preemption and deadlines on one processor. */
public class SimScheduler {
    static final class Task {
        final String name;
        final int arrives;
        final int priority;
        int left;
        int finished = -1;

        Task(String name, int arrives, int priority, int length) {
            this.name = name;
            this.arrives = arrives;
            this.priority = priority;
            this.left = length;
        }
    }

    interface Policy extends Comparator<Task> { }

    static String simulate(List<Task> tasks, Policy policy, boolean preempt) {
        PriorityQueue<Task> ready = new PriorityQueue<>(policy.thenComparing(t -> t.name));
        StringBuilder trace = new StringBuilder();
        Task running = null;
        int done = 0;
        for (int now = 0; done < tasks.size() && now < 100; now++) {
            for (Task t : tasks) {
                if (t.arrives == now) {
                    ready.add(t);
                }
            }
            if (running != null && preempt) {
                ready.add(running);
                running = null;
            }
            if (running == null) {
                running = ready.poll();
            }
            trace.append(running == null ? "." : running.name);
            if (running != null && --running.left == 0) {
                running.finished = now + 1;
                running = null;
                done++;
            }
        }
        int wait = 0;
        for (Task t : tasks) {
            wait += t.finished - t.arrives;
        }
        return trace + " " + wait;
    }

    static List<Task> tasks() {
        List<Task> l = new ArrayList<>();
        l.add(new Task("a", 0, 3, 5));
        l.add(new Task("b", 1, 1, 2));
        l.add(new Task("c", 2, 2, 3));
        l.add(new Task("d", 14, 1, 1));
        l.add(new Task("e", 2, 1, 1));
        return l;
    }

    public static void main(String[] args) {
        System.out.println(simulate(tasks(), (x, y) -> x.arrives - y.arrives, false));
        System.out.println(simulate(tasks(), (x, y) -> x.priority - y.priority, false));
        System.out.println(simulate(tasks(), (x, y) -> x.priority - y.priority, true));
        System.out.println(simulate(tasks(), (x, y) -> Integer.compare(x.left, y.left), true));
    }
}
