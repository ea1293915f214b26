/** As v0, with other names of fields and helpers. */
public class Arbiter {
    static final int USERS = 3;
    static final int RESOURCES = 2;

    static final int IDLE = 0;
    static final int PENDING = 1;
    static final int GRANTED = 2;
    static final int REVOKING = 3;

    static final int REQUEST = 0;
    static final int CANCEL = 1;
    static final int RELEASE = 2;

    private static final int NOBODY = -1;

    private final int[] state = new int[USERS];
    private final int[] asked = new int[USERS];
    private final int[] owner = {NOBODY, NOBODY};
    private final int[] successor = {NOBODY, NOBODY};

    /** One event of one user; false if it makes no sense in the user's state. */
    public boolean event(int user, int kind, int resource) {
        if (user < 0 || user >= USERS || resource < 0 || resource >= RESOURCES) {
            return false;
        }
        switch (kind) {
            case REQUEST:
                return request(user, resource);
            case CANCEL:
                return cancel(user);
            case RELEASE:
                return release(user);
            default:
                return false;
        }
    }

    private boolean request(int user, int resource) {
        if (state[user] != IDLE) {
            return false;
        }
        asked[user] = resource;
        int current = owner[resource];
        if (current == NOBODY) {
            give(user, resource);
        } else {
            state[user] = PENDING;
            if (outranks(user, current) && state[current] == GRANTED) {
                state[current] = REVOKING;
                successor[resource] = user;
            }
        }
        return true;
    }

    private boolean cancel(int user) {
        if (state[user] != PENDING) {
            return false;
        }
        state[user] = IDLE;
        int resource = asked[user];
        if (successor[resource] == user) {
            successor[resource] = NOBODY;
            state[owner[resource]] = GRANTED;
        }
        return true;
    }

    private boolean release(int user) {
        if (state[user] != GRANTED && state[user] != REVOKING) {
            return false;
        }
        int resource = asked[user];
        state[user] = IDLE;
        owner[resource] = NOBODY;
        int next = successor[resource] != NOBODY ? successor[resource] : nextWaiting(resource);
        successor[resource] = NOBODY;
        if (next != NOBODY) {
            give(next, resource);
        }
        return true;
    }

    private void give(int user, int resource) {
        owner[resource] = user;
        state[user] = GRANTED;
    }

    private int nextWaiting(int resource) {
        for (int user = 0; user < USERS; user++) {
            if (state[user] == PENDING && asked[user] == resource) {
                return user;
            }
        }
        return NOBODY;
    }

    /** User 0 is the most important. */
    private static boolean outranks(int user, int other) {
        return user < other;
    }

    /** Whether holders and states agree, and nobody waits for a free resource. */
    public boolean isConsistent() {
        for (int resource = 0; resource < RESOURCES; resource++) {
            int current = owner[resource];
            if (current == NOBODY) {
                if (successor[resource] != NOBODY || nextWaiting(resource) != NOBODY) {
                    return false;
                }
            } else if (asked[current] != resource || (state[current] != GRANTED && state[current] != REVOKING)) {
                return false;
            } else if ((state[current] == REVOKING) != (successor[resource] != NOBODY)) {
                return false;
            }
        }
        return true;
    }
}
