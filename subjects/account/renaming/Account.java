/** As v0, with other names of fields and variables. */
public class Account {
    static final int CHARGE = 25;

    private int balance;
    private final int limit;
    private boolean locked;

    public Account(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit limit is negative");
        }
        this.limit = limit;
    }

    public int balance() {
        return balance;
    }

    public boolean isFrozen() {
        return locked;
    }

    /** Puts money in; a debt that is paid off thaws the account. */
    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        balance = Math.addExact(balance, amount);
        if (balance >= 0) {
            locked = false;
        }
    }

    /** Takes money out, with a fee when that makes a debt; false if the limit does not allow it. */
    public boolean withdraw(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        if (locked) {
            return false;
        }
        long rest = (long) balance - amount;
        if (rest < 0) {
            rest -= CHARGE;
        }
        if (rest < -(long) limit) {
            locked = true;
            return false;
        }
        balance = (int) rest;
        return true;
    }
}
