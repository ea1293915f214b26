import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Accounts and transfers with checked exceptions, roll back and a journal. */
public class SimBank {
    static class BankException extends Exception {
        BankException(String m) {
            super(m);
        }
    }

    static class NoSuchAccount extends BankException {
        NoSuchAccount(String id) {
            super("no account " + id);
        }
    }

    static class Insufficient extends BankException {
        final long missing;

        Insufficient(long missing) {
            super("missing " + missing);
            this.missing = missing;
        }
    }

    private final Map<String, Long> balances = new HashMap<>();
    private final List<String> journal = new ArrayList<>();

    void open(String id, long start) {
        if (balances.putIfAbsent(id, start) != null) {
            throw new IllegalArgumentException("twice: " + id);
        }
    }

    long balance(String id) throws NoSuchAccount {
        Long b = balances.get(id);
        if (b == null) {
            throw new NoSuchAccount(id);
        }
        return b;
    }

    void change(String id, long by) throws BankException {
        long b = balance(id) + by;
        if (b < 0) {
            throw new Insufficient(-b);
        }
        balances.put(id, b);
    }

    void transfer(String from, String to, long amount) throws BankException {
        boolean taken = false;
        boolean done = false;
        try {
            change(from, -amount);
            taken = true;
            change(to, amount);
            done = true;
        } finally {
            if (taken && !done) {
                balances.merge(from, amount, Long::sum);
            }
            journal.add(from + ">" + to + (done ? " ok" : " failed"));
        }
    }

    public static void main(String[] args) throws Exception {
        SimBank bank = new SimBank();
        bank.open("a", 100);
        bank.open("b", 0);
        String[][] orders = {{"a", "b", "30"}, {"b", "a", "31"}, {"a", "x", "10"}, {"y", "a", "1"}, {"a", "b", "70"}};
        for (String[] o : orders) {
            try {
                bank.transfer(o[0], o[1], Long.parseLong(o[2]));
            } catch (Insufficient e) {
                System.out.println(e.getMessage() + " " + e.missing * 2);
            } catch (BankException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(bank.balance("a") + " " + bank.balance("b") + " " + bank.journal);
        try {
            bank.open("a", 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
